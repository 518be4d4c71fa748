import { beforeEach, expect, test, vi, type MockInstance } from "vitest";

import { api, type MemoryRow } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { MemoryReader } from "./memory-reader.svelte";

type Ask = MockInstance<typeof api.memory>;
let answers: Map<string, (row: MemoryRow) => void>;
let ask: Ask;

const row = (id: string): MemoryRow => ({ id, content: `Text of ${id}` }) as MemoryRow;
const asked = (): string[] => ask.mock.calls.map(([id]) => id);

async function answer(id: string): Promise<void> {
  answers.get(id)?.(row(id));
  await Promise.resolve();
  await vi.waitFor(() => Promise.resolve());
}

beforeEach(() => {
  answers = new Map();
  ask = vi.spyOn(api, "memory").mockImplementation((id) => new Promise((resolve) => answers.set(id, resolve)));
});

test("four are read at once, then what came into sight last", async () => {
  const memories = new MemoryReader();
  for (const id of "abcdef") memories.want(id);
  expect(asked()).toEqual(["a", "b", "c", "d"]);
  await answer("b");
  expect(asked().at(-1)).toBe("f");
  expect(memories.get("b")).toMatchObject({ content: "Text of b" });
});

test("what is out of sight again isn't read", async () => {
  const memories = new MemoryReader();
  for (const id of "abcd") memories.want(id);
  memories.want("e")();
  await answer("a");
  expect(asked()).not.toContain("e");
});

test("a forgotten memory and a failure are told apart", async () => {
  const refusal = (status: number): ApiError => new ApiError(status, { code: "error", title: "No", detail: "No." });
  ask.mockRejectedValueOnce(refusal(404)).mockRejectedValueOnce(refusal(500));
  const memories = new MemoryReader();
  memories.want("a");
  memories.want("b");
  await vi.waitFor(() => {
    expect([memories.get("a"), memories.get("b")]).toEqual(["gone", "failed"]);
  });
});

test("what changed is read again if it's in sight, and otherwise when it comes into sight", async () => {
  const memories = new MemoryReader();
  memories.want("a");
  const leave = memories.want("b");
  await answer("a");
  await answer("b");
  leave();
  memories.handleChange({ topic: "memory", what: "updated", ids: ["a", "b"] });
  expect(asked()).toEqual(["a", "b", "a"]);
  expect(memories.get("a")).toMatchObject({ id: "a" });
  memories.want("b");
  expect(asked().at(-1)).toBe("b");
});
