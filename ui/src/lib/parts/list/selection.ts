/** Which rows of a list are selected: one by one, toggled, or a stretch from where one began. */

export type How = "one" | "toggle" | "range";

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Where a stretch begins. */
  readonly anchor: string | undefined;
  /** What was selected before the stretch; the next one from the same anchor replaces it. */
  readonly rest: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

export const NONE: Selection = { ids: NOTHING, anchor: undefined, rest: NOTHING };

interface Row {
  readonly id: string;
}

/** The selection after a row was clicked, toggled or reached with Shift. */
export function select(selection: Selection, id: string, how: How, rows: readonly Row[]): Selection {
  switch (how) {
    case "one":
      return { ids: new Set([id]), anchor: id, rest: NOTHING };
    case "toggle": {
      const ids = new Set(selection.ids);
      if (!ids.delete(id)) ids.add(id);
      return { ids, anchor: id, rest: ids };
    }
    case "range": {
      const from = rows.findIndex((row) => row.id === (selection.anchor ?? id));
      const to = rows.findIndex((row) => row.id === id);
      if (to < 0) return selection;
      // Where the anchor has gone, the stretch begins anew.
      if (from < 0) return { ids: new Set(selection.ids).add(id), anchor: id, rest: selection.ids };
      const ids = new Set(selection.rest);
      for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
        const row = rows[index];
        if (row !== undefined) ids.add(row.id);
      }
      return { ids, anchor: selection.anchor ?? id, rest: selection.rest };
    }
  }
}

/** Everything that is listed. */
export function selectAll(rows: readonly Row[]): Selection {
  const ids = new Set(rows.map((row) => row.id));
  return { ids, anchor: rows[0]?.id, rest: NOTHING };
}

/** The selection without rows that are gone; the same object where none is. */
export function without(selection: Selection, gone: Iterable<string>): Selection {
  const [ids, rest] = [new Set(selection.ids), new Set(selection.rest)];
  let anchor = selection.anchor;
  for (const id of gone) {
    ids.delete(id);
    rest.delete(id);
    if (anchor === id) anchor = undefined;
  }
  const isSame = ids.size === selection.ids.size && rest.size === selection.rest.size && anchor === selection.anchor;
  return isSame ? selection : { ids, anchor, rest };
}
