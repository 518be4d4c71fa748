import { beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryRow, type MutationReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { Draft } from "./memory-draft.svelte";

const ROW = {
  id: "a",
  content: "Postgres 16",
  type: "decision",
  tags: "db,build",
  importance: 0.8,
  pinned: 0,
  version: 3,
} as MemoryRow;

const NEWER = { ...ROW, content: "Postgres 17", version: 4 };
const CONFLICT = new ApiError(409, { code: "conflict", title: "It has changed", detail: "version 4" });

let draft: Draft;

beforeEach(() => {
  draft = new Draft(ROW);
});

test("an untouched draft has nothing to save", async () => {
  expect(draft.isDirty).toBe(false);
  expect(await draft.save()).toBe("unchanged");
});

test("only what changed is sent, with the version that was seen", async () => {
  const modify = vi.spyOn(api, "modify").mockResolvedValue({} as MutationReply);
  draft.content = "Postgres 18";
  expect(await draft.save()).toBe("saved");
  expect(modify).toHaveBeenCalledWith("a", {
    reason: "edited in the dashboard",
    content: "Postgres 18",
    if_version: 3,
  });
});

test("tags written in another way are the same tags", () => {
  draft.tags = " db ,build, ";
  expect(draft.isDirty).toBe(false);
});

test("a conflict shows the newer text and keeps mine", async () => {
  vi.spyOn(api, "modify").mockRejectedValue(CONFLICT);
  vi.spyOn(api, "memory").mockResolvedValue(NEWER);
  draft.content = "Mine";
  expect(await draft.save()).toBe("conflict");
  expect(draft.theirs?.content).toBe("Postgres 17");
  expect(draft.content).toBe("Mine");
  expect(draft.error).toBeUndefined();
});

test("keeping mine saves over the version that was shown", async () => {
  const modify = vi.spyOn(api, "modify").mockResolvedValue({} as MutationReply);
  draft.content = "Mine";
  draft.receive(NEWER);
  expect(await draft.keepMine()).toBe("saved");
  expect(modify.mock.lastCall?.[1].if_version).toBe(4);
});

test("taking theirs starts from the newer text", () => {
  draft.content = "Mine";
  draft.receive(NEWER);
  draft.takeTheirs();
  expect(draft.content).toBe("Postgres 17");
  expect(draft.isDirty).toBe(false);
});

test("a newer version replaces a draft that nobody touched", () => {
  draft.receive(NEWER);
  expect(draft.theirs).toBeUndefined();
  expect(draft.content).toBe("Postgres 17");
});

test("a refusal for another reason than the version is shown as it is", async () => {
  vi.spyOn(api, "modify").mockRejectedValue(CONFLICT);
  vi.spyOn(api, "memory").mockResolvedValue(ROW);
  draft.content = "The same as another";
  expect(await draft.save()).toBe("failed");
  expect(draft.error?.message).toBe("version 4");
});

test("what is typed while a save is on its way is kept, and saved over what was sent", async () => {
  let answer: (reply: MutationReply) => void = () => undefined;
  const modify = vi.spyOn(api, "modify").mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  vi.spyOn(api, "memory").mockResolvedValue({ ...NEWER, content: "First" });
  draft.content = "First";
  const saving = draft.save();
  draft.content = "First and more";
  answer({} as MutationReply);
  expect(await saving).toBe("partly");
  draft.receive(ROW);
  draft.receive({ ...NEWER, content: "First" });
  expect(draft.theirs).toBeUndefined();
  expect(draft.content).toBe("First and more");
  modify.mockResolvedValueOnce({} as MutationReply);
  expect(await draft.save()).toBe("saved");
  expect(modify.mock.lastCall?.[1]).toMatchObject({ content: "First and more", if_version: 4 });
});
