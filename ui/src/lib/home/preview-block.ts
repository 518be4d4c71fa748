/** The text of a preview as parts: its lines, which can be changed, and what stands around them. */

import type { ContextPreview, PreviewLine } from "$lib/api/client";

type BlockPart =
  { readonly kind: "frame"; readonly text: string; readonly at: number } | { readonly kind: "line"; readonly line: PreviewLine };

/** What precedes the words of a line, and what follows them: who noted it, and when. */
const LEAD = /^- /u;
const TAIL = / \((?:[a-z:, ]+, )?(?:\d{4}-\d\d-\d\d|noted by an agent|unsettled: [a-z ]+)\)$/u;

/** Split the text around its lines, which are in its order; together the parts are the exact text. */
export function blockParts({ text, lines }: ContextPreview): readonly BlockPart[] {
  const parts: BlockPart[] = [];
  let at = 0;
  for (const line of lines) {
    const start = text.indexOf(line.line, at);
    const from = start < 0 ? at : start;
    const between = text.slice(at, from).trim();
    if (between !== "") parts.push({ kind: "frame", text: between, at });
    parts.push({ kind: "line", line });
    if (start >= 0) at = start + line.line.length;
  }
  const rest = text.slice(at).trim();
  if (rest !== "") parts.push({ kind: "frame", text: rest, at });
  return parts;
}

/** A line's words, as sent, and what stands around them; what was left out has no such line. */
export function wordsOf({ line, content }: PreviewLine): { readonly lead: string; readonly words: string; readonly tail: string } {
  if (line === "") return { lead: "", words: content, tail: "" };
  const lead = LEAD.exec(line)?.[0] ?? "";
  const tail = TAIL.exec(line)?.[0] ?? "";
  return { lead, words: line.slice(lead.length, line.length - tail.length), tail };
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
    const { lead, tail } = wordsOf(line);
    const text = content === undefined || line.line === "" ? line.line : lead + content.replace(/\s+/gu, " ").trim() + tail;
    return { ...line, ...change, line: text };
  };
  const lines = preview.lines.map(changed);
  const text = lines.reduce((now, line, index) => now.replace(preview.lines[index]?.line ?? line.line, () => line.line), preview.text);
  return { ...preview, text, lines, leftOut: preview.leftOut.map(changed) };
}
