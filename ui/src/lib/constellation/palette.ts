/**
 * The colours of points. Each set was searched for the greatest distance between its colours as
 * people with normal vision, protanopia, deuteranopia and tritanopia see them, each with 3:1 to the
 * background (4.5:1 with more contrast); `palette.test.ts` checks it. Shapes tell the same again.
 */

import { SHAPES, type Shape } from "./values";

/** What the colours stand on. */
export interface Surface {
  readonly isDark: boolean;
  readonly hasMoreContrast: boolean;
}

export interface Palette {
  /** For the groups of a colouring, the largest first. */
  readonly categories: readonly string[];
  /** For the rest of them, and for none. */
  readonly other: string;
  /** From the oldest to the newest; as many as `AGES`. */
  readonly ages: readonly string[];
  /** For the difference of two days. */
  readonly added: string;
  readonly changed: string;
  readonly gone: string;
}

const LIGHT: Palette = {
  categories: ["#279ae8", "#591000", "#bf8908", "#6f1fa4", "#1e6633", "#f32e99", "#042c58", "#3650ff"],
  other: "#78787c",
  ages: ["#aa8d66", "#52863e", "#006f7a", "#1b3c83", "#182550"],
  added: "#1e6633",
  changed: "#bf8908",
  gone: "#f32e99",
};

const DARK: Palette = {
  categories: ["#38ffff", "#f68201", "#9905fb", "#e4e257", "#b73a22", "#3c7b9a", "#4fbca3", "#b683ff"],
  other: "#8c8c8e",
  ages: ["#7f6540", "#60944c", "#00bfc9", "#9ec9ff", "#d7eeff"],
  added: "#38ffff",
  changed: "#e4e257",
  gone: "#f68201",
};

const LIGHT_MORE: Palette = {
  categories: ["#4066f5", "#430101", "#84750e", "#603274", "#be4999", "#930106", "#021a49", "#0512cb"],
  other: "#606062",
  ages: ["#8b6f49", "#366820", "#00525d", "#031f64", "#050b34"],
  added: "#4066f5",
  changed: "#84750e",
  gone: "#930106",
};

const DARK_MORE: Palette = {
  categories: ["#58f9ff", "#da07a4", "#c3b70e", "#87acfd", "#9f7003", "#7263f7", "#d3fc79", "#f07ba0"],
  other: "#c6c6c8",
  ages: ["#91754f", "#73a860", "#00d0d9", "#a9d4ff", "#def4ff"],
  added: "#58f9ff",
  changed: "#c3b70e",
  gone: "#da07a4",
};

export function paletteOf({ isDark, hasMoreContrast }: Surface): Palette {
  if (hasMoreContrast) return isDark ? DARK_MORE : LIGHT_MORE;
  return isDark ? DARK : LIGHT;
}

/** Ages in days at most, and their names; from the oldest to the newest. */
export const AGES = [
  { most: Infinity, label: "Older than a year" },
  { most: 365, label: "Within a year" },
  { most: 90, label: "Within three months" },
  { most: 30, label: "Within a month" },
  { most: 7, label: "Within a week" },
] as const;

/** The index in `AGES` and in a palette's `ages` of something so many days old; today's is 0 days old. */
export function ageStep(days: number): number {
  return AGES.findLastIndex(({ most }) => days < most);
}

/** The shape of the group of this rank; with its colour it's unique for the first 24 groups. */
export function shapeOf(rank: number): Shape {
  return SHAPES[rank % SHAPES.length] ?? "disc";
}

const DARK_QUERY = "(prefers-color-scheme: dark)";
const FORCED_QUERY = "(forced-colors: active)";
const CONTRAST_QUERY = "(prefers-contrast: more)";

/** What the page shows at this moment; forced colours ask for more contrast. */
export function readSurface(): Surface {
  const { theme, contrast } = document.documentElement.dataset;
  const isForced = matchMedia(FORCED_QUERY).matches;
  return {
    isDark: theme === undefined || isForced ? matchMedia(DARK_QUERY).matches : theme === "dark",
    hasMoreContrast: isForced || contrast === "more",
  };
}

/** Call when the page's appearance has changed; returns a function that stops. */
export function watchSurface(onchange: (surface: Surface) => void): () => void {
  const changed = (): void => {
    onchange(readSurface());
  };
  const queries = [DARK_QUERY, FORCED_QUERY, CONTRAST_QUERY].map((query) => matchMedia(query));
  const observer = new MutationObserver(changed);
  for (const query of queries) query.addEventListener("change", changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "data-contrast"] });
  return () => {
    for (const query of queries) query.removeEventListener("change", changed);
    observer.disconnect();
  };
}
