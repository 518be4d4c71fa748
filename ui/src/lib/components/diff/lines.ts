/** Splits what a block of a diff shows into lines: each has a direction of its own. */

import type { Piece } from "./diff";

/** A piece to show; `fold`: a button with this text, which isn't part of the text. */
export interface Part {
  readonly kind: Piece["kind"] | "fold";
  readonly text: string;
  /** The piece that it belongs to. */
  readonly piece: number;
}

/** The parts of each line, with its newline. */
export function linesOf(parts: readonly Part[]): Part[][] {
  const lines: Part[][] = [];
  let line: Part[] = [];
  const end = (): void => {
    if (line.length > 0) lines.push(line);
    line = [];
  };
  for (const part of parts) {
    if (part.kind === "fold") line.push(part);
    else {
      for (const text of part.text.match(/[^\n]*\n|[^\n]+/gu) ?? []) {
        line.push({ ...part, text });
        if (text.endsWith("\n")) end();
      }
    }
  }
  end();
  return lines;
}
