/** Decides which buttons of a bar fit and which move into its overflow menu. */

export interface Bar {
  /** The width of each button in pixels, most important first. */
  readonly widths: readonly number[];
  readonly room: number;
  readonly gap: number;
  /** The width of the menu button, which is shown only if the menu isn't empty. */
  readonly menu: number;
}

/** The number of buttons that fit, most important first. */
export function fittingCount({ widths, room, gap, menu }: Bar): number {
  const ends = widths.map((_, index) => widths.slice(0, index + 1).reduce((sum, width) => sum + width + gap, -gap));
  const all = ends.at(-1) ?? 0;
  if (all <= room) return widths.length;
  return ends.filter((end) => end + gap + menu <= room).length;
}
