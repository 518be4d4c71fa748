import { beforeEach, expect, test, vi } from "vitest";

import { api, type MutationReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { Erasure, type ErasableMemory } from "./erasure.svelte";

const GONE = new ApiError(0, { code: "unreachable", title: "t", detail: "No answer" });
const memories = (count: number): ErasableMemory[] =>
  Array.from({ length: count }, (_, at) => ({ id: String(at), content: "", version: 1 }));
const deleted = (versions: ReadonlyMap<string, unknown>): { outcomes: { id: string; status: string }[]; places: string[] } => ({
  outcomes: [...versions.keys()].map((id) => ({ id, status: "deleted" })),
  places: ["backups"],
});

let erased: string[];
const onerased = (ids: readonly string[]): void => {
  erased.push(...ids);
};

beforeEach(() => {
  erased = [];
});

test("tried again after an error, it goes on with what is not done yet", async () => {
  const call = vi.spyOn(api, "eraseMany").mockImplementation((versions) => Promise.resolve(deleted(versions)));
  const erasure = new Erasure(memories(250));
  call.mockImplementationOnce((versions) => Promise.resolve(deleted(versions))).mockRejectedValueOnce(GONE);
  expect(await erasure.run(onerased)).toBe(false);
  expect([erasure.done, erasure.error?.message, erasure.externalCopies]).toEqual([200, "No answer", undefined]);
  expect(await erasure.run(onerased)).toBe(true);
  expect(call.mock.lastCall?.[0].size).toBe(50);
  expect([erasure.erased, erasure.skipped, erasure.externalCopies]).toEqual([250, 0, ["backups"]]);
  expect(erased).toEqual(memories(250).map(({ id }) => id));
});

test("one that is there no longer is none that stayed, one that was changed is", async () => {
  vi.spyOn(api, "eraseMany").mockResolvedValue({
    outcomes: [
      { id: "0", status: "deleted" },
      { id: "1", status: "not_found" },
      { id: "2", status: "version_conflict" },
    ],
    places: ["backups"],
  });
  const erasure = new Erasure(memories(3));
  await erasure.run(onerased);
  expect([erasure.erased, erasure.skipped]).toEqual([2, 1]);
  expect(erased).toEqual(["0", "1"]);
});

test("a single one that was changed meanwhile is refused, and can be asked again", async () => {
  vi.spyOn(api, "erase").mockRejectedValueOnce(new ApiError(409, { code: "conflict", title: "t", detail: "It has changed" }));
  const erasure = new Erasure(memories(1));
  expect(await erasure.run(onerased)).toBe(false);
  vi.spyOn(api, "erase").mockResolvedValue({ outside: ["backups"] } as MutationReply);
  expect(await erasure.run(onerased)).toBe(true);
  expect([erased, erasure.externalCopies]).toEqual([["0"], ["backups"]]);
});
