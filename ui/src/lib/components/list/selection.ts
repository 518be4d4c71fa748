/** The selected rows of a list: single, toggled, or a range from an anchor. */

export type SelectionMode = "one" | "toggle" | "range";

interface Row {
  readonly id: string;
}

export interface Selection<R extends Row = Row> {
  /** The selected rows by id, each as of its selection. */
  readonly rows: ReadonlyMap<string, R>;
  /** Where a range starts. */
  readonly anchor: string | undefined;
  /** What was selected before the range; the next range from the same anchor replaces it. */
  readonly rest: ReadonlyMap<string, R>;
}

const NO_ROWS: ReadonlyMap<string, never> = new Map<string, never>();

export const EMPTY_SELECTION: Selection<never> = { rows: NO_ROWS, anchor: undefined, rest: NO_ROWS };

/** Select these without an anchor: the next range adds to them. */
function withoutAnchor<R extends Row>(rows: ReadonlyMap<string, R>): Selection<R> {
  return { rows, anchor: undefined, rest: rows };
}

/** Select all of these, listed or not. */
export function selectAll<R extends Row>(rows: readonly R[]): Selection<R> {
  return withoutAnchor(new Map(rows.map((row) => [row.id, row])));
}

/**
 * The selection after a row was clicked, toggled or reached with Shift. A range starts at the last
 * toggled row, else at `from` (the current row), else at the row itself.
 */
export function select<R extends Row>(
  selection: Selection<R>,
  id: string,
  how: SelectionMode,
  listed: readonly R[],
  from?: string,
): Selection<R> {
  const to = listed.findIndex((row) => row.id === id);
  const row = listed[to];
  if (row === undefined) return selection;
  switch (how) {
    case "one":
      return { rows: new Map([[id, row]]), anchor: id, rest: NO_ROWS };
    case "toggle": {
      const rows = new Map(selection.rows);
      if (!rows.delete(id)) rows.set(id, row);
      return { rows, anchor: id, rest: rows };
    }
    case "range": {
      const anchor = (selection.rows.size === 0 ? from : undefined) ?? selection.anchor ?? from ?? id;
      const at = listed.findIndex((one) => one.id === anchor);
      // The anchor is gone: start a new range.
      if (at < 0) return { rows: new Map(selection.rows).set(id, row), anchor: id, rest: selection.rows };
      const rest = anchor === selection.anchor ? selection.rest : selection.rows;
      const rows = new Map(rest);
      for (const one of listed.slice(Math.min(at, to), Math.max(at, to) + 1)) rows.set(one.id, one);
      return { rows, anchor, rest };
    }
  }
}

/** The selection without these rows; the same object if none was selected. */
export function without<R extends Row>(selection: Selection<R>, gone: Iterable<string>): Selection<R> {
  const [rows, rest] = [new Map(selection.rows), new Map(selection.rest)];
  let anchor = selection.anchor;
  for (const id of gone) {
    rows.delete(id);
    rest.delete(id);
    if (anchor === id) anchor = undefined;
  }
  const isSame = rows.size === selection.rows.size && rest.size === selection.rest.size && anchor === selection.anchor;
  return isSame ? selection : { rows, anchor, rest };
}

/** Keep only these rows selected. */
export function retain<R extends Row>(selection: Selection<R>, ids: Iterable<string>): Selection<R> {
  const stay = new Set(ids);
  return withoutAnchor(new Map([...selection.rows].filter(([id]) => stay.has(id))));
}

/** The selected rows, each as currently listed, else as of its selection. */
export function selectedRows<R extends Row>(selection: Selection<R>, listed: readonly R[]): readonly R[] {
  if (selection.rows.size === 0) return [];
  const now = new Map(selection.rows);
  for (const row of listed) if (now.has(row.id)) now.set(row.id, row);
  return [...now.values()];
}
