/** The number of listed memories as text, also announced by screen readers. */

export interface CountedList {
  readonly rows: readonly unknown[];
  readonly isComplete: boolean;
  readonly stored: number | undefined;
  readonly phase: "loading" | "ready" | "failed";
}

/** The most results that a search returns. */
const MOST_FOUND = 200;

function memories(count: number, more = ""): string {
  return `${count.toLocaleString()}${more} ${count === 1 && more === "" ? "memory" : "memories"}`;
}

export function resultCount(list: CountedList, searching: boolean, filtered: boolean, matching?: number): string {
  if (list.phase !== "ready") return "";
  const count = list.rows.length;
  if (searching) {
    if (count === 0) return "No results";
    if (count >= MOST_FOUND) return `Top ${String(MOST_FOUND)} results`;
    return `${String(count)} ${count === 1 ? "result" : "results"}`;
  }
  if (filtered) {
    const all = list.stored === undefined ? "" : ` of ${list.stored.toLocaleString()}`;
    const many = list.isComplete ? count.toLocaleString() : (matching?.toLocaleString() ?? `${count.toLocaleString()}+`);
    return `${many}${all}`;
  }
  if (count === 0) return "";
  return list.isComplete ? memories(count) : memories(list.stored ?? count, list.stored === undefined ? "+" : "");
}
