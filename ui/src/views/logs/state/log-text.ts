/** Lines of the log as text: in their columns, and as they are copied and saved. */

import type { LogRow } from "$lib/api/client";

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

export const LEVEL_LABELS: Readonly<Record<LogRow["level"], string>> = { debug: "Debug", info: "Info", warn: "Warning", error: "Error" };

/** The time of day to the millisecond, with the day unless it's today; empty without a time. */
export function timeText(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "";
  const clock = CLOCK.format(at);
  return new Date(at).toDateString() === new Date(now).toDateString() ? clock : `${DAY.format(at)} ${clock}`;
}

/** A value of the data: texts as they are, others as JSON. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The data on one line: `port=3850 reason="no answer"`. */
export function dataText(data: LogRow["data"]): string {
  return Object.entries(data ?? {})
    .map(([name, value]) => `${name}=${typeof value === "string" && /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value)}`)
    .join(" ");
}

/** What follows the message on its line: why it failed, and the data. */
export function restText({ data, error }: LogRow): string {
  const failed = error === undefined || error === null ? "" : `${error.name}: ${error.message}`;
  return [failed, dataText(data)].filter((part) => part !== "").join(" ");
}

/** The whole line, as it is copied; a traceback follows on lines of its own. */
export function lineText(row: LogRow): string {
  const request = row.requestId === undefined || row.requestId === null ? "" : `request=${row.requestId}`;
  const took = row.duration === undefined || row.duration === null ? "" : `ms=${String(row.duration)}`;
  const line = [row.timestamp, row.level.padEnd(5), row.category, row.message, dataText(row.data), took, request];
  const stack = row.error?.stack.split("\n").map((one) => `    ${one}`) ?? [];
  return [line.filter((part) => part !== "").join(" "), ...stack].join("\n");
}

/** Lines that are listed newest first, oldest first as in the file. */
export function linesText(rows: readonly LogRow[]): string {
  return rows.map(lineText).reverse().join("\n");
}
