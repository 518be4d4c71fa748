/** Which row is the current one after rows went away. */

interface Row {
  readonly id: string;
}

/** The row with this id, or if it is gone, the next one that is left of those before; else the last. */
export function rowInPlace<R extends Row>(id: string | undefined, before: readonly R[], rows: readonly R[]): R | undefined {
  const own = rows.find((row) => row.id === id);
  const from = before.findIndex((row) => row.id === id);
  if (own !== undefined || from < 0) return own ?? rows[0];
  const left = new Set(rows.map((row) => row.id));
  return before.slice(from).find((row) => left.has(row.id)) ?? rows.at(-1);
}
