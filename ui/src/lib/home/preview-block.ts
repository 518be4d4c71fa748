/** The text of a preview and its lines, as they change. */

import type { ContextPreview, PreviewLine } from "$lib/api/client";

/** How much of its budget a preview takes. */
export function budgetText({ tokens, budget }: ContextPreview): string {
  return `${tokens.toLocaleString()} of ${budget.toLocaleString()} tokens`;
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
    const words = change.content?.replace(/\s+/gu, " ").trim() ?? line.words;
    return { ...line, ...change, words, line: line.line.replace(line.words, () => words) };
  };
  const lines = preview.lines.map(changed);
  const text = lines.reduce((now, line, index) => now.replace(preview.lines[index]?.line ?? line.line, () => line.line), preview.text);
  return { ...preview, text, lines, leftOut: preview.leftOut.map(changed) };
}
