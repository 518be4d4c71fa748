import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { LogStream } from "./log-stream";
import type { LogRow } from "./logs";

class FakeSource extends EventTarget {
  closed = false;
  constructor(readonly url: string) {
    super();
  }
  close(): void {
    this.closed = true;
  }
  say(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

let source: FakeSource;
let heard: string[][];

function open(after: string | null): LogStream {
  const add = (lines: readonly LogRow[]): void => {
    heard.push(lines.map(({ id }) => id));
  };
  return new LogStream({ level: "warn", q: "", since: undefined }, after, add, (url) => {
    source = new FakeSource(url);
    return source as unknown as EventSource;
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  heard = [];
});

afterEach(() => {
  vi.useRealTimers();
});

test("it goes on where the list ended, with the list's filters", () => {
  open("1f.0-2a");
  expect(source.url).toBe("/api/logs/stream?level=warn&after=1f.0-2a");
  open(null);
  expect(source.url).toBe("/api/logs/stream?level=warn");
});

test("lines that come together are handed over together, and only lines", () => {
  open(null);
  for (const data of ['{"type":"connected"}', '{"id":"a"}', "no JSON", "null", '{"id":"b"}']) source.say(data);
  expect(heard).toEqual([]);
  vi.runAllTimers();
  source.say('{"id":"c"}');
  vi.runAllTimers();
  expect(heard).toEqual([["a", "b"], ["c"]]);
});

test("nothing is heard once it is closed", () => {
  const stream = open(null);
  source.say('{"id":"a"}');
  stream.close();
  vi.runAllTimers();
  expect([heard, source.closed]).toEqual([[], true]);
});
