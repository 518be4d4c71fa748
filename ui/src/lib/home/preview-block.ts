/** The text of a preview and its lines, as they change. */

import type { ContextPreview, PreviewLine } from "$lib/api/client";

/** What precedes the words of a line, and what follows them: who noted it, when, and what may have replaced it. */
const LEAD = /^- /u;
const TAIL = / \((?:[a-z:, ]+, )?(?:\d{4}-\d\d-\d\d|noted by an agent|unsettled: [a-z ]+)(?:, may be replaced on \d{4}-\d\d-\d\d)?\)$/u;
const REPLACED = /may be replaced on \d{4}-\d\d-\d\d(?=\)$)/u;

/** How much of its budget a preview takes. */
export function budgetText({ tokens, budget }: ContextPreview): string {
  return `${tokens.toLocaleString()} of ${budget.toLocaleString()} tokens`;
}

/** A line's words, as sent; what was left out has no such line. */
export function wordsOf({ line, content }: PreviewLine): string {
  return line === "" ? content : line.replace(LEAD, "").replace(TAIL, "");
}

/** What a line says of a later session that may have replaced it; "" if there is none. */
export function replacedText({ line }: PreviewLine): string {
  return REPLACED.exec(line)?.[0] ?? "";
}

/** What a line says of an older note that denies it, between which the user hasn't decided; "" if there is none. */
export function unsettledText({ line }: PreviewLine): string {
  return /unsettled: [a-z ]+/u.exec(TAIL.exec(line)?.[0] ?? "")?.[0] ?? "";
}

/** The preview without a memory. */
export function withoutLine(preview: ContextPreview, id: string): ContextPreview {
  const gone = preview.lines.find((line) => line.memoryId === id);
  return {
    ...preview,
    text: gone === undefined ? preview.text : preview.text.replace(`${gone.line}\n`, () => ""),
    tokens: preview.tokens - (gone?.tokens ?? 0),
    lines: preview.lines.filter((line) => line !== gone),
    leftOut: preview.leftOut.filter((line) => line.memoryId !== id),
  };
}

/** The preview with a memory's new pin or text; a text is shown in full until it is read again. */
export function withChange(preview: ContextPreview, id: string, change: Partial<Pick<PreviewLine, "pinned" | "content">>): ContextPreview {
  const changed = (line: PreviewLine): PreviewLine => {
    if (line.memoryId !== id) return line;
    const { content } = change;
    const around = (part: RegExp): string => part.exec(line.line)?.[0] ?? "";
    const text = content === undefined || line.line === "" ? line.line : around(LEAD) + content.replace(/\s+/gu, " ").trim() + around(TAIL);
    return { ...line, ...change, line: text };
  };
  const lines = preview.lines.map(changed);
  const text = lines.reduce((now, line, index) => now.replace(preview.lines[index]?.line ?? line.line, () => line.line), preview.text);
  return { ...preview, text, lines, leftOut: preview.leftOut.map(changed) };
}
