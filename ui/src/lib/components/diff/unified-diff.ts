/** Reads a unified diff of one file. */

export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Consecutive lines; `start` is the number of the first one after the change. */
export interface DiffHunk {
  readonly start: number;
  readonly lines: readonly DiffLine[];
}

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { "-": "removed", "+": "added" };
/** The two lines that name the file. */
const HEADER_LINES = 2;
const HUNK = /^@@ -\S+ \+(\d+)/;

export function hunksOf(diff: string): readonly DiffHunk[] {
  const hunks: { start: number; lines: DiffLine[] }[] = [];
  for (const line of diff.split("\n").slice(HEADER_LINES)) {
    const start = HUNK.exec(line)?.[1];
    if (start !== undefined) hunks.push({ start: Number(start), lines: [] });
    else hunks.at(-1)?.lines.push({ kind: KINDS[line.charAt(0)] ?? "same", text: line.slice(1) });
  }
  return hunks;
}

/** The hunk's text before or after the change. */
export function sideOf({ lines }: DiffHunk, other: "removed" | "added"): string {
  return lines
    .filter((line) => line.kind !== other)
    .map((line) => `${line.text}\n`)
    .join("");
}
