import { expect, test } from "vitest";

import type { LogRow } from "$lib/api/client";

import { LOG_URL, queryOf } from "./log-filters";
import { dataText, linesText, lineText, restText, timeText } from "./log-text";

const ROW: LogRow = {
  id: "1",
  timestamp: "2026-01-31T09:00:01.250Z",
  level: "warn",
  category: "jobs",
  message: "job failed",
  requestId: "r-1",
  duration: 12.5,
  data: { type: "embed", reason: "no answer", tries: [1, 2] },
  error: { name: "KeyError", message: "'x'", stack: "Traceback:\n  File x\nKeyError: 'x'" },
};

test("a line is copied as the terminal shows it", () => {
  expect(lineText(ROW).split("\n")).toEqual([
    '2026-01-31T09:00:01.250Z warn  jobs job failed type=embed reason="no answer" tries=[1,2] ms=12.5 request=r-1',
    "    Traceback:",
    "      File x",
    "    KeyError: 'x'",
  ]);
});

test("several lines are copied in the order of the file", () => {
  const plain = (message: string): LogRow => ({ id: message, timestamp: "t", level: "info", category: "", message });
  expect(linesText([plain("second"), plain("first")])).toBe("t info  first\nt info  second");
});

test("a row shows why it failed, then its data", () => {
  expect(restText(ROW)).toBe(`KeyError: 'x' type=embed reason="no answer" tries=[1,2]`);
  expect([dataText(undefined), dataText({ a: "", b: 'x"y' })]).toEqual(["", String.raw`a="" b="x\"y"`]);
});

test("a time has its day unless it is today's", () => {
  const now = Date.parse("2026-01-31T12:00:00Z");
  expect(timeText(ROW.timestamp, now)).toMatch(/^\d\d:\d\d:01\.250$/u);
  expect(timeText(ROW.timestamp, now + 3 * 86_400_000)).toMatch(/31.* \d\d:\d\d:01\.250$/u);
  expect(timeText("", now)).toBe("");
});

test("filters are the same after a round trip through the URL, and a bad time is none", () => {
  const query = "q=no+answer&level=warn&part=jobs&when=hour&until=2026-01-31T09%3A00%3A00Z&request=r-1";
  expect(LOG_URL.write(LOG_URL.read(new URLSearchParams(query))).toString()).toBe(query);
  expect(LOG_URL.isFiltered(LOG_URL.read(new URLSearchParams("level=loud&when=once&until=x&request=")))).toBe(false);
});

test("a period is counted back from now", () => {
  const now = Date.parse("2026-01-31T12:00:00Z");
  expect(queryOf({ ...LOG_URL.none, when: "minutes", q: " x " }, now)).toMatchObject({ since: "2026-01-31T11:45:00.000Z", q: "x" });
});
