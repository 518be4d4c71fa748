/** Formats numbers with units. */

const SIZES = ["B", "kB", "MB", "GB", "TB"] as const;

/** Bytes in steps of a thousand: `0 B`, `58.3 MB`, `1.20 GB`. */
export function bytes(count: number): string {
  let value = count;
  let step = 0;
  while (value >= 1_000 && step < SIZES.length - 1) {
    value /= 1_000;
    step += 1;
  }
  const digits = step === 0 ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${SIZES[step] ?? ""}`;
}

/** A duration in its two largest units: `40 s`, `5 min 3 s`, `2 h 10 min`, `3 d 4 h`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor((whole % 86_400) / 3_600), "h"],
    [Math.floor((whole % 3_600) / 60), "min"],
    [whole % 60, "s"],
  ];
  const from = parts.findIndex(([count]) => count > 0);
  if (from < 0) return "0 s";
  const shown = parts.slice(from, from + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${String(count)} ${unit}`).join(" ");
}

export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}
