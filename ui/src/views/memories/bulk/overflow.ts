/** Which buttons of a bar have room beside each other, and which go into its menu. */

export interface Bar {
  /** The width of each button in pixels, the most important first. */
  readonly widths: readonly number[];
  readonly room: number;
  readonly gap: number;
  /** The width of the button that opens the menu; it takes room only where something goes into it. */
  readonly menu: number;
}

/** How many of the most important buttons are shown. */
export function fittingCount({ widths, room, gap, menu }: Bar): number {
  const ends = widths.map((_, index) => widths.slice(0, index + 1).reduce((sum, width) => sum + width + gap, -gap));
  const all = ends.at(-1) ?? 0;
  if (all <= room) return widths.length;
  return ends.filter((end) => end + gap + menu <= room).length;
}
