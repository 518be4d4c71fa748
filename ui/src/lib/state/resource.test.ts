import { afterEach, beforeEach, expect, test, vi, type MockInstance } from "vitest";

import { ApiError, unreachable } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Resource } from "./resource.svelte";
import { connection } from "./connection.svelte";

interface Call {
  readonly params: string | undefined;
  readonly signal: AbortSignal;
  readonly answer: (value: string) => void;
  readonly refuse: (thrown: unknown) => void;
}

class Stones extends Resource<string, string | undefined> {
  protected override readonly resyncMs = 50;
  protected override readonly spacingMs: number;
  protected override readonly pausesHidden: boolean;
  readonly calls: Call[] = [];
  readonly outcomes: string[] = [];
  every: number | undefined;

  constructor({ spacingMs = 0, pausesHidden = false } = {}) {
    super();
    this.spacingMs = spacingMs;
    this.pausesHidden = pausesHidden;
  }

  get last(): Call {
    const call = this.calls.at(-1);
    if (call === undefined) throw new Error("nothing was read");
    return call;
  }

  protected read(signal: AbortSignal, params: string | undefined): Promise<string> {
    return new Promise((answer, refuse) => this.calls.push({ params, signal, answer, refuse }));
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "stones" ? 100 : undefined;
  }

  protected override interval(): number | undefined {
    return this.every;
  }

  protected override settled(outcome: string): void {
    this.outcomes.push(outcome);
  }
}

const BROKEN = new ApiError(500, { code: "x", title: "It broke", detail: "d" });
const change = (topic: string): ChangeEvent => ({ topic, what: "updated", ids: [] });

let stones: Stones;
let hears: (change: ChangeEvent | "resync") => void;
let silenced: boolean;
let listening: MockInstance<typeof connection.onChange>;

/** Let what was answered arrive, and so many milliseconds pass. */
async function pass(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

async function answer(value: string): Promise<void> {
  stones.last.answer(value);
  await pass();
}

function hide(isHidden: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  silenced = false;
  listening = vi.spyOn(connection, "onChange").mockImplementation((hear) => {
    hears = hear;
    return () => (silenced = true);
  });
  stones = new Stones();
});

afterEach(() => {
  connection.link = "connecting";
  vi.useRealTimers();
});

test("it is loading until it is answered", async () => {
  const load = stones.load();
  expect([stones.phase, stones.isBusy]).toEqual(["loading", true]);
  stones.last.answer("opal");
  expect(await load).toBe("ready");
  expect([stones.phase, stones.isBusy, stones.value]).toEqual(["ready", false, "opal"]);
});

test("a first read that fails is failed, and reloading mends it", async () => {
  const load = stones.load();
  stones.last.refuse(BROKEN);
  expect(await load).toBe("failed");
  expect([stones.phase, stones.error]).toEqual(["failed", BROKEN]);
  void stones.reload();
  expect(stones.phase).toBe("loading");
  await answer("opal");
  expect([stones.phase, stones.error, stones.value]).toEqual(["ready", undefined, "opal"]);
});

test("what was read stays when reading it again fails", async () => {
  void stones.load();
  await answer("opal");
  void stones.load();
  stones.last.refuse(BROKEN);
  await pass();
  expect([stones.phase, stones.error, stones.value, stones.isBusy]).toEqual(["ready", BROKEN, "opal", false]);
});

test("what was read for something else is no answer when reading fails", async () => {
  void stones.load("opal");
  await answer("white");
  void stones.load("jade");
  expect([stones.phase, stones.value, stones.loadedParams]).toEqual(["ready", "white", "opal"]);
  stones.last.refuse(BROKEN);
  await pass();
  expect(stones.phase).toBe("failed");
});

test.each(["answered", "refused"])("an older read that is %s late changes nothing", async (how) => {
  const old = stones.load();
  const [first] = stones.calls;
  void stones.load();
  expect(first?.signal.aborted).toBe(true);
  await answer("newer");
  if (how === "answered") first?.answer("older");
  else first?.refuse(BROKEN);
  expect(await old).toBe("aborted");
  expect([stones.value, stones.error, stones.isBusy]).toEqual(["newer", undefined, false]);
  expect(stones.outcomes).toEqual(["ready"]);
});

test("a read that the browser broke off is over, and no failure", async () => {
  const load = stones.load();
  stones.last.refuse(new DOMException("gone", "AbortError"));
  expect(await load).toBe("aborted");
  expect([stones.isBusy, stones.error]).toEqual([false, undefined]);
});

test("whatever else is thrown is a failure that can be shown", async () => {
  void stones.load();
  stones.last.refuse(new Error("no such thing"));
  await pass();
  expect(stones.error?.message).toBe("no such thing");
});

test("what is put in is newer than a read that is under way, which begins anew", async () => {
  void stones.load();
  const [first] = stones.calls;
  stones.set("put in");
  expect([first?.signal.aborted, stones.value, stones.phase]).toEqual([true, "put in", "ready"]);
  first?.answer("older");
  await pass();
  expect([stones.calls.length, stones.value]).toEqual([2, "put in"]);
  await answer("newest");
  expect(stones.value).toBe("newest");
});

test("clearing forgets what was read and what is under way", async () => {
  void stones.load("opal");
  await answer("white");
  void stones.load("opal");
  stones.clear();
  await answer("late");
  expect([stones.phase, stones.value, stones.loadedParams, stones.isBusy]).toEqual(["loading", undefined, undefined, false]);
});

test("what is asked is read once, when it was not changed for a while", async () => {
  for (const params of ["o", "op", "opal"]) {
    stones.ask(params, 120);
    await pass(100);
  }
  expect(stones.calls).toHaveLength(0);
  await pass(20);
  expect(stones.calls.map((call) => call.params)).toEqual(["opal"]);
  expect(stones.loadedParams).toBeUndefined();
  await answer("white");
  expect(stones.loadedParams).toBe("opal");
});

test("asking for something else gives up what is under way", async () => {
  void stones.load("opal");
  const [first] = stones.calls;
  stones.ask("jade", 120);
  await pass(120);
  expect(first?.signal.aborted).toBe(true);
  await answer("green");
  expect([stones.value, stones.loadedParams]).toEqual(["green", "jade"]);
});

test("an answer is that of what was asked for then", async () => {
  void stones.load("opal");
  stones.ask("jade", 120);
  await answer("white");
  expect([stones.loadedParams, stones.params]).toEqual(["opal", "jade"]);
});

test("changes are read once, at the earliest date, and others not at all", async () => {
  stones.handleChange(change("stones"));
  stones.handleChange(change("stones"));
  stones.handleChange(change("trees"));
  expect(stones.calls).toHaveLength(0);
  await pass(100);
  expect(stones.calls).toHaveLength(1);
  await answer("opal");
  stones.handleChange(change("stones"));
  stones.handleChange("resync");
  await pass(50);
  expect(stones.calls).toHaveLength(2);
  await answer("jade");
  await pass(1_000);
  expect(stones.calls).toHaveLength(2);
});

test("changes that never end do not starve a read: they are read after it", async () => {
  void stones.load();
  for (let at = 0; at < 10; at += 1) {
    stones.handleChange(change("stones"));
    await pass(100);
  }
  expect([stones.calls.length, stones.last.signal.aborted]).toEqual([1, false]);
  await answer("first");
  expect([stones.value, stones.calls.length]).toEqual(["first", 2]);
  await answer("second");
  await pass(1_000);
  expect([stones.value, stones.calls.length]).toEqual(["second", 2]);
});

test("reads that are wanted begin no closer than they may", async () => {
  stones = new Stones({ spacingMs: 1_000 });
  stones.refresh(0);
  await answer("first");
  for (let at = 0; at < 15; at += 1) {
    stones.refresh(0);
    await pass(100);
  }
  expect(stones.calls).toHaveLength(2);
});

test("who follows has it read and hears of changes; with the last one all work ends", async () => {
  const first = stones.subscribe();
  const second = stones.subscribe();
  expect(listening).toHaveBeenCalledTimes(1);
  await answer("opal");
  hears(change("stones"));
  await pass(100);
  expect(stones.calls).toHaveLength(2);
  first();
  first();
  expect([silenced, stones.last.signal.aborted]).toEqual([false, false]);
  second();
  expect([silenced, stones.last.signal.aborted, stones.isBusy]).toEqual([true, true, false]);
  await answer("late");
  expect(stones.value).toBe("opal");
});

test("two who follow from the start share one read, also for something else than before", async () => {
  const rests = [stones.subscribe(), stones.subscribe()];
  expect([stones.calls.length, stones.last.signal.aborted]).toEqual([1, false]);
  stones.params = "jade";
  rests.push(stones.subscribe());
  expect(stones.calls.map(({ params }) => params)).toEqual([undefined, "jade"]);
  await answer("green");
  rests.push(stones.subscribe());
  expect(stones.calls).toHaveLength(3);
  for (const rest of rests) rest();
});

test("it is read again and again while it is followed, also after a failure", async () => {
  stones.every = 2_000;
  const rest = stones.subscribe();
  await answer("first");
  await pass(2_000);
  expect(stones.calls).toHaveLength(2);
  stones.last.refuse(BROKEN);
  await pass(2_000);
  expect(stones.calls).toHaveLength(3);
  await answer("third");
  rest();
  await pass(10_000);
  expect(stones.calls).toHaveLength(3);
});

test.each([
  ["live", 2],
  ["lost", 1],
] as const)("while the link is %s, a daemon that did not answer is asked %i times", async (link, reads) => {
  connection.link = link;
  stones.every = 2_000;
  const rest = stones.subscribe();
  stones.last.refuse(unreachable());
  await pass(2_100);
  expect(stones.calls).toHaveLength(reads);
  rest();
});

test("nobody follows: it is read once", async () => {
  stones.every = 2_000;
  void stones.load();
  await answer("opal");
  await pass(10_000);
  expect(stones.calls).toHaveLength(1);
});

test("a page that nobody sees lets it rest, and reads it when it is seen", async () => {
  stones = new Stones({ pausesHidden: true });
  stones.every = 2_000;
  const rest = stones.subscribe();
  hide(true);
  expect(stones.last.signal.aborted).toBe(true);
  hears(change("stones"));
  await pass(10_000);
  expect(stones.calls).toHaveLength(1);
  hide(false);
  expect(stones.calls).toHaveLength(2);
  rest();
  hide(false);
  expect(stones.calls).toHaveLength(2);
});

test("who does not rest is read on a page that nobody sees", () => {
  hide(true);
  const rest = stones.subscribe();
  expect(stones.calls).toHaveLength(1);
  rest();
});
