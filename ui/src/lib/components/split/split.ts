/** Bounds and steps of a divider between two panes; shares are percent of the first pane. */

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

const STEP = 2;
const LEAP = 10;

/** The shares that leave both panes their minimum width, in pixels. */
export function bounds(width: number, minFirst: number, minSecond: number): Bounds {
  if (width <= 0) return { min: 0, max: 100 };
  const min = Math.min(100, (minFirst / width) * 100);
  const max = Math.max(0, 100 - (minSecond / width) * 100);
  return min <= max ? { min, max } : { min: max, max };
}

export function within(share: number, { min, max }: Bounds): number {
  return Math.min(max, Math.max(min, share));
}

/** The share at a pointer position. */
export function shareAt(x: number, left: number, width: number, at: Bounds): number {
  return within(((x - left) / width) * 100, at);
}

/** The share after a key; undefined for other keys. */
export function shareAfterKey(key: string, share: number, at: Bounds, leap: boolean): number | undefined {
  const by = leap ? LEAP : STEP;
  switch (key) {
    case "ArrowLeft":
    case "ArrowUp":
      return within(share - by, at);
    case "ArrowRight":
    case "ArrowDown":
      return within(share + by, at);
    case "Home":
      return at.min;
    case "End":
      return at.max;
    default:
      return undefined;
  }
}

/** Read the stored share; `otherwise` if there is none. */
export function readShare(key: string | undefined, otherwise: number): number {
  const text = key === undefined ? null : localStorage.getItem(key);
  const share = Number.parseFloat(text ?? "");
  return share > 0 && share < 100 ? share : otherwise;
}

/** Store the share; the default one is removed instead. */
export function saveShare(key: string | undefined, share: number, usual: number): void {
  if (key === undefined) return;
  if (share === usual) localStorage.removeItem(key);
  else localStorage.setItem(key, share.toFixed(2));
}
