import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { backoffMs, EventStream, type LinkState } from "./event-stream";

class FakeSource extends EventTarget {
  static made: FakeSource[] = [];
  closed = false;
  constructor() {
    super();
    FakeSource.made.push(this);
  }
  close(): void {
    this.closed = true;
  }
  say(type: string, data?: string): void {
    this.dispatchEvent(data === undefined ? new Event(type) : new MessageEvent(type, { data }));
  }
}

let links: LinkState[];
let heard: string[];
let answers: boolean;
let live: EventStream;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.made = [];
  links = [];
  heard = [];
  answers = true;
  live = new EventStream(
    {
      link: (link) => links.push(link),
      changed: (change) => heard.push(`${change.what} ${change.ids.join()}`),
      state: (state, reason) => heard.push(`${state} ${reason}`),
      resync: () => heard.push("resync"),
      probe: () => Promise.resolve(answers),
    },
    { open: () => new FakeSource() as unknown as EventSource, random: () => 0 },
  );
});

afterEach(() => {
  live.stop();
  vi.useRealTimers();
});

async function opened(): Promise<FakeSource> {
  await vi.advanceTimersByTimeAsync(0);
  const source = FakeSource.made.at(-1);
  if (source === undefined) throw new Error("no stream was opened");
  source.say("open");
  return source;
}

test("the wait doubles up to fifteen seconds", () => {
  const waits = [0, 1, 2, 5, 50].map((attempt) => backoffMs(attempt, () => 0));
  expect(waits).toEqual([500, 1000, 2000, 15_000, 15_000]);
});

test("jitter only shortens a wait, by a quarter at most", () => {
  expect(backoffMs(0, () => 1)).toBe(375);
});

test("a change is passed on with its ids", async () => {
  live.start();
  const source = await opened();
  heard = [];
  source.say("changed", '{"topic":"memory","what":"added","ids":["a","b"]}');
  expect(heard).toEqual(["added a,b"]);
});

test("rubbish on the stream is passed over", async () => {
  live.start();
  const source = await opened();
  heard = [];
  source.say("changed", "{");
  source.say("changed", "null");
  source.say("state", "[]");
  expect(heard).toEqual([]);
});

test("a change of the settings is heard of like any other", async () => {
  live.start();
  const source = await opened();
  heard.length = 0;
  source.say("settings", "{}");
  expect(heard).toEqual(["updated "]);
});

test("a stream asks for a resync whenever it opens", async () => {
  live.start();
  const first = await opened();
  expect(heard).toEqual(["resync"]);
  first.say("error");
  await vi.advanceTimersByTimeAsync(500);
  await opened();
  expect(heard).toEqual(["resync", "resync"]);
  expect(links).toEqual(["connecting", "live", "live"]);
});

test("a daemon that does not answer is lost until it answers", async () => {
  answers = false;
  live.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(links.at(-1)).toBe("lost");
  expect(FakeSource.made).toHaveLength(0);
  answers = true;
  await vi.advanceTimersByTimeAsync(500);
  await opened();
  expect(links.at(-1)).toBe("live");
});

test("a daemon that refuses the stream twice leaves updates paused", async () => {
  live.start();
  (await opened()).say("error");
  await vi.advanceTimersByTimeAsync(500);
  FakeSource.made.at(-1)?.say("error");
  expect(links.at(-1)).toBe("paused");
});

test("nothing is opened once stopped", async () => {
  live.start();
  live.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSource.made).toHaveLength(0);
});

test("who tries again while an answer is waited for has one stream in the end", async () => {
  const waiting: ((answers: boolean) => void)[] = [];
  const idle = (): void => undefined;
  live = new EventStream(
    { link: idle, changed: idle, state: idle, resync: idle, probe: () => new Promise((resolve) => waiting.push(resolve)) },
    { open: () => new FakeSource() as unknown as EventSource, random: () => 0 },
  );
  live.start();
  live.retry();
  live.retry();
  for (const resolve of waiting) resolve(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(FakeSource.made).toHaveLength(1);
});
