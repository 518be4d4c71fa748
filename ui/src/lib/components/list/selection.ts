/** Which rows of a list are selected: one by one, toggled, or a stretch from where one began. */

export type SelectionMode = "one" | "toggle" | "range";

interface Row {
  readonly id: string;
}

export interface Selection<R extends Row = Row> {
  /** The selected rows by their ids, each as it was when it was selected. */
  readonly rows: ReadonlyMap<string, R>;
  /** Where a stretch begins. */
  readonly anchor: string | undefined;
  /** What was selected before the stretch; the next one from the same anchor replaces it. */
  readonly rest: ReadonlyMap<string, R>;
}

const NO_ROWS: ReadonlyMap<string, never> = new Map<string, never>();

export const EMPTY_SELECTION: Selection<never> = { rows: NO_ROWS, anchor: undefined, rest: NO_ROWS };

/** These, and no stretch is begun: the next one leaves them selected. */
function withoutAnchor<R extends Row>(rows: ReadonlyMap<string, R>): Selection<R> {
  return { rows, anchor: undefined, rest: rows };
}

/** All of these, listed or not. */
export function selectAll<R extends Row>(rows: readonly R[]): Selection<R> {
  return withoutAnchor(new Map(rows.map((row) => [row.id, row])));
}

/**
 * The selection after a listed row was clicked, toggled or reached with Shift. A stretch begins
 * where the last toggle was, else at `from`, where one stands, else at the row itself.
 */
export function select<R extends Row>(selection: Selection<R>, id: string, how: SelectionMode, listed: readonly R[], from?: string): Selection<R> {
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
      // Where the anchor has gone, the stretch begins anew.
      if (at < 0) return { rows: new Map(selection.rows).set(id, row), anchor: id, rest: selection.rows };
      const rest = anchor === selection.anchor ? selection.rest : selection.rows;
      const rows = new Map(rest);
      for (const one of listed.slice(Math.min(at, to), Math.max(at, to) + 1)) rows.set(one.id, one);
      return { rows, anchor, rest };
    }
  }
}

/** The selection without rows that are gone; the same object where none is. */
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

/** Only what is among these. */
export function retain<R extends Row>(selection: Selection<R>, ids: Iterable<string>): Selection<R> {
  const stay = new Set(ids);
  return withoutAnchor(new Map([...selection.rows].filter(([id]) => stay.has(id))));
}

/** The selected rows, each as the list has it now; one that is not listed as it was when it was selected. */
export function selectedRows<R extends Row>(selection: Selection<R>, listed: readonly R[]): readonly R[] {
  if (selection.rows.size === 0) return [];
  const now = new Map(selection.rows);
  for (const row of listed) if (now.has(row.id)) now.set(row.id, row);
  return [...now.values()];
}
