/** Reads what was typed into a field of a setting, and says what is wrong with it. */

import type { SettingRow, SettingValue } from "$lib/api/client";

export type Reading = { readonly value: SettingValue } | { readonly error: string };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/u;
const THOUSANDS = /^[+-]?\d{1,3}(?:,\d{3})+$/u;
const SPACES = /[\u00a0\u202f ]/gu;
const MAX_CHARS = 4_096;

/** Read a number with or without separators; a comma in another one than a whole number is its decimal point. */
function parse(text: string, whole: boolean): number | undefined {
  const dense = text.replaceAll(SPACES, "");
  const plain = whole && THOUSANDS.test(dense) ? dense.replaceAll(",", "") : dense.replace(",", ".");
  return NUMBER.test(plain) ? Number(plain) : undefined;
}

/** The bounds in words: `0 to 1`, `at least 1`; empty without bounds. */
export function boundsOf({ low, high }: Pick<SettingRow, "low" | "high">): string {
  const shown = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 6 });
  if (low !== null && high !== null) return `${shown(low)} to ${shown(high)}`;
  if (low !== null) return `at least ${shown(low)}`;
  return high === null ? "" : `at most ${shown(high)}`;
}

function readNumber(row: SettingRow, text: string): Reading {
  const value = parse(text, row.whole);
  const bounds = boundsOf(row);
  const range = bounds === "" ? "" : ` (${bounds})`;
  if (value === undefined) return { error: `Enter a ${row.whole ? "whole " : ""}number${range}.` };
  if (row.whole && !Number.isInteger(value)) return { error: `Enter a whole number${range}.` };
  if ((row.low !== null && value < row.low) || (row.high !== null && value > row.high)) return { error: `Enter a number from ${bounds}.` };
  return { value };
}

/** Read the text of a field. */
export function readTyped(row: SettingRow, typed: string): Reading {
  const text = typed.trim();
  if (row.kind === "switch") return { value: text === "true" };
  if (row.kind === "number") return readNumber(row, text);
  if (row.kind === "choice" && !row.choices.some(({ value }) => value === text)) return { error: "Choose one of the values." };
  if (text.length > MAX_CHARS) return { error: `Enter at most ${MAX_CHARS.toLocaleString("en")} characters.` };
  return { value: text };
}

/** How much an arrow key changes a number; ten times as much with Shift. */
export function stepOf(row: SettingRow): number {
  const { low, high } = row;
  if (!row.whole) return high !== null && high - (low ?? 0) <= 2 ? 0.01 : 0.1;
  const size = Math.abs(typeof row.default === "number" ? row.default : 0);
  return Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, size))) - 1));
}

/** The number so many steps further, on the grid of steps and within the bounds. */
export function stepped(row: SettingRow, value: number, steps: number): number {
  const step = stepOf(row);
  // The next multiple in that direction, free of binary fractions.
  const at = steps > 0 ? Math.floor(value / step + 1e-9) : Math.ceil(value / step - 1e-9);
  const next = Number(((at + steps) * step).toFixed(6));
  return Math.min(row.high ?? Infinity, Math.max(row.low ?? -Infinity, next));
}
