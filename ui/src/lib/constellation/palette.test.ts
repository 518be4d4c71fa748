import { expect, test } from "vitest";

import { AGES, ageStep, paletteOf, shapeOf, type Palette } from "./palette";

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** How people see linear RGB; Machado, Oliveira and Fernandes 2009, severity 1. */
const VISIONS: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Linear sRGB to Oklab (Ottosson 2020). */
const LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

const times = (matrix: Matrix, [a, b, c]: Triple): Triple => {
  const row = ([x, y, z]: Triple): number => x * a + y * b + z * c;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};
const each = ([a, b, c]: Triple, change: (value: number) => number): Triple => [change(a), change(b), change(c)];

function linear(hex: string): Triple {
  const at = (from: number): number => Number.parseInt(hex.slice(from, from + 2), 16) / 255;
  return each([at(1), at(3), at(5)], (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
}

function seen(hex: string, vision: Matrix): Triple {
  const clipped = each(times(vision, linear(hex)), (value) => Math.min(1, Math.max(0, value)));
  return times(LAB, each(times(LMS, clipped), Math.cbrt));
}

function distance(one: string, other: string, vision: Matrix): number {
  const [a, b] = [seen(one, vision), seen(other, vision)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function contrast(one: string, other: string): number {
  const luminance = (hex: string): number => {
    const [r, g, b] = linear(hex);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The pairs of colours that one can't tell apart. */
function tooClose(colours: readonly string[], least: number): string[] {
  return Object.entries(VISIONS).flatMap(([name, vision]) =>
    colours.flatMap((one, index) =>
      colours
        .slice(index + 1)
        .filter((other) => distance(one, other, vision) < least)
        .map((other) => `${one} ${other} with ${name}`),
    ),
  );
}

/** `--pane` of `tokens.css`. */
const PANES = { light: "#ffffff", dark: "#17171a", lightMore: "#ffffff", darkMore: "#000000" };
const PALETTES: readonly (readonly [string, Palette, string, number])[] = [
  ["light", paletteOf({ isDark: false, hasMoreContrast: false }), PANES.light, 3],
  ["dark", paletteOf({ isDark: true, hasMoreContrast: false }), PANES.dark, 3],
  ["light with more contrast", paletteOf({ isDark: false, hasMoreContrast: true }), PANES.lightMore, 4.5],
  ["dark with more contrast", paletteOf({ isDark: true, hasMoreContrast: true }), PANES.darkMore, 4.5],
];

test.each(PALETTES)("colours of groups hold for colour-blind people: %s", (_, { categories, added, changed, gone }) => {
  expect(tooClose(categories, 0.12)).toEqual([]);
  expect(tooClose([added, changed, gone], 0.12)).toEqual([]);
});

test.each(PALETTES)("the colour of the rest is told from all groups: %s", (_, { categories, other }) => {
  const close = tooClose([...categories, other], 0.07).filter((pair) => pair.includes(other));
  expect(close).toEqual([]);
});

test.each(PALETTES)("ages become steadily lighter or darker, whoever looks: %s", (_, { ages }) => {
  expect(ages).toHaveLength(AGES.length);
  for (const vision of Object.values(VISIONS)) {
    const lightness = ages.map((hex) => seen(hex, vision)[0]);
    const steps = lightness.slice(1).map((value, index) => Math.abs(value - (lightness[index] ?? 0)));
    expect(Math.min(...steps)).toBeGreaterThan(0.03);
    expect([...lightness].sort((a, b) => a - b)).toEqual((lightness[0] ?? 0) < (lightness[1] ?? 0) ? lightness : lightness.toReversed());
  }
});

test.each(PALETTES)("each colour stands out from the background: %s", (_, palette, pane, least) => {
  const all = [...palette.categories, ...palette.ages, palette.other, palette.added, palette.changed, palette.gone];
  expect(all.filter((hex) => contrast(hex, pane) < least)).toEqual([]);
});

test("colour and shape together are unique for 24 groups", () => {
  const looks = Array.from({ length: 24 }, (_, rank) => `${String(rank % 8)} ${shapeOf(rank)}`);
  expect(new Set(looks).size).toBe(24);
});

test.each([
  [0, "Within a week"],
  [6, "Within a week"],
  [7, "Within a month"],
  [89, "Within three months"],
  [364, "Within a year"],
  [365, "Older than a year"],
])("%i days are: %s", (days, label) => {
  expect(AGES[ageStep(days)]?.label).toBe(label);
});
