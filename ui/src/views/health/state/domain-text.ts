/** Domains, checks and figures as text. */

import type { CheckRow, DomainRow, FigureRow } from "$lib/api/health";
import { inWords } from "$lib/components/time/format";
import { bytes, duration, percent } from "$lib/format-units";

export type Tone = "ok" | "unknown" | "warn" | "danger";

const RESULTS = ["danger", "warn", "unknown", "info", "ok"];
const RESULT_NAMES: Readonly<Record<string, string>> = {
  danger: "Critical",
  warn: "Needs attention",
  unknown: "Unknown",
  info: "For information",
  ok: "OK",
};

/** The tone of a result: what needs nobody looks well. */
function toneOf(result: string): Tone {
  return result === "danger" || result === "warn" || result === "unknown" ? result : "ok";
}

/** The tone of a domain by its worst check, not by its score: nothing is alarming that needs no action. */
export function domainTone({ checks }: DomainRow): Tone {
  const results = new Set(checks.map(({ result }) => result));
  return toneOf(RESULTS.find((result) => results.has(result)) ?? "ok");
}

export function checkTone({ result }: CheckRow): Tone {
  return toneOf(result);
}

export function resultName({ result }: CheckRow): string {
  return RESULT_NAMES[result] ?? result;
}

const TONE_NAMES: Readonly<Record<Tone, string>> = { ok: "well", unknown: "unknown", warn: "needs attention", danger: "critical" };

/** The dial in words: `well, score 100 of 100`. */
export function dialText(domain: DomainRow): string {
  return `${TONE_NAMES[domainTone(domain)]}, score ${scoreText(domain.score)} of 100`;
}

export function scoreText(score: number): string {
  return String(Math.round(100 * score));
}

/** Numbers of each unit; of others as they are. */
const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  bytes,
  s: (value) => (value > 0 && value < 1 ? `${value.toFixed(1)} s` : duration(value)),
  hours: (value) => duration(3_600 * value),
  ms: (value) => `${value.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms`,
  share: (value) => percent(value),
};

/** The value of a figure with its unit; "–" if it isn't known. */
export function figureText({ value, unit = "" }: FigureRow, now: number): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return unit === "moment" ? inWords(value, now) : value;
  return FORMATS[unit]?.(value) ?? value.toLocaleString(undefined, { maximumFractionDigits: 2 });
}
