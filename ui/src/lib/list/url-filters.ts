/** The filters of a list as parameters of its URL, declared once by field. */

/** How a filter is read from the URL and written to it. */
export interface Field<Value> {
  /** Its value while it doesn't filter. */
  readonly none: Value;
  /** Read its parameter; an unknown value counts as none. */
  readonly read: (query: URLSearchParams, name: string) => Value;
  /** Write its parameter, unless the value is none. */
  readonly write: (query: URLSearchParams, name: string, value: Value) => void;
  /** What is shown rather than a filter: it stays when the filters are cleared. */
  readonly stays?: boolean;
}

export interface UrlFilters<Filters> {
  readonly none: Filters;
  readonly read: (query: URLSearchParams) => Filters;
  readonly write: (filters: Filters) => URLSearchParams;
  /** Whether anything is filtered by. */
  readonly isFiltered: (filters: Filters) => boolean;
  /** The change that clears them. */
  readonly cleared: Partial<Filters>;
}

/** What a search field holds; blank is none. */
export const words: Field<string> = {
  none: "",
  read: (query, name) => query.get(name) ?? "",
  write: (query, name, value) => {
    if (value.trim() !== "") query.set(name, value);
  },
};

/** A text; empty is none. */
export const text: Field<string | undefined> = {
  none: undefined,
  read: (query, name) => {
    const value = query.get(name);
    return value === null || value === "" ? undefined : value;
  },
  write: (query, name, value) => {
    if (value !== undefined) query.set(name, value);
  },
};

export const flag: Field<boolean> = {
  none: false,
  read: (query, name) => query.get(name) === "1",
  write: (query, name, value) => {
    if (value) query.set(name, "1");
  },
};

/** One of these values, or none. */
export function oneOf<Value extends string>(values: readonly Value[]): Field<Value | undefined> {
  return { none: undefined, write: text.write, read: (query, name) => values.find((value) => value === query.get(name)) };
}

export function urlFilters<Filters extends object>(fields: {
  readonly [Name in keyof Filters]: Field<Filters[Name]>;
}): UrlFilters<Filters> {
  const names = Object.keys(fields) as (keyof Filters & string)[];
  const valuesBy = (valueOf: <Name extends keyof Filters & string>(name: Name) => Filters[Name], of = names): Filters =>
    Object.fromEntries(of.map((name) => [name, valueOf(name)])) as Filters;
  const write = (filters: Filters, of = names): URLSearchParams => {
    const query = new URLSearchParams();
    for (const name of of) fields[name].write(query, name, filters[name]);
    return query;
  };
  const clearable = names.filter((name) => fields[name].stays !== true);
  return {
    none: valuesBy((name) => fields[name].none),
    read: (query) => valuesBy((name) => fields[name].read(query, name)),
    write: (filters) => write(filters),
    isFiltered: (filters) => write(filters, clearable).size > 0,
    cleared: valuesBy((name) => fields[name].none, clearable),
  };
}
