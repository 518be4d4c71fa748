/** Positions a pane at a button, fully inside the window. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Side = "below" | "beside";

const GAP = 4;
const MARGIN = 8;

function within(at: number, length: number, room: number): number {
  return Math.max(MARGIN, Math.min(at, room - length - MARGIN));
}

/**
 * The left and top in window pixels: beside the button if requested and it fits, else below it, or
 * above if there is room only there; always moved into the window.
 */
export function popoverPosition(button: Box, pane: Size, side: Side, room: Size): [left: number, top: number] {
  const beside = side === "beside" && button.right + GAP + pane.width + MARGIN <= room.width;
  const below = button.bottom + GAP;
  const above = button.top - GAP - pane.height;
  const fitsBelow = below + pane.height + MARGIN <= room.height;
  const left = beside ? button.right + GAP : button.left;
  const top = beside ? button.bottom - pane.height : fitsBelow || above < MARGIN ? below : above;
  return [within(left, pane.width, room.width), within(top, pane.height, room.height)];
}
