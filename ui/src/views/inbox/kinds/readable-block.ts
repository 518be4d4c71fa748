/** The text of a block that sync keeps, for people. */

const SECTION = /^<!-- INTAGLIO:FILE (.+?) -->$/gmu;

/** A block's text with the names of files in place of the comments that mark them. */
export function readableBlock(text: string): string {
  return text.replaceAll(SECTION, "[$1]");
}
