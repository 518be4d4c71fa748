import { beforeEach, expect, test, vi } from "vitest";

import { api, type RememberReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { RememberDraft } from "./draft.svelte";

const reply = (more: Partial<RememberReply> = {}): RememberReply => ({ id: "a", pinned: false, ...more }) as RememberReply;

beforeEach(() => {
  vi.spyOn(api, "remember").mockResolvedValue(reply());
});

test("it is saved for all projects unless one is named, and says so before", async () => {
  const draft = new RememberDraft(undefined);
  draft.content = "critical: Onyx";
  expect(draft.scope).toBe("All projects");
  expect((await draft.save())?.text).toBe("Saved for all projects.");
  // What is not chosen is left to the text and the daemon.
  expect(api.remember).toHaveBeenLastCalledWith("critical: Onyx", { project: "", type: "", tags: "", pinned: undefined });
  draft.project = " /home/ann/fleet-infra ";
  expect(draft.scope).toBe("fleet-infra");
  expect((await draft.save())?.text).toBe("Saved for fleet-infra.");
});

test("what is chosen is sent", async () => {
  const draft = new RememberDraft("/ring");
  Object.assign(draft, { content: "Onyx", type: "rule", tags: " stone, black ", pinned: true });
  await draft.save();
  expect(api.remember).toHaveBeenLastCalledWith("Onyx", { project: "/ring", type: "rule", tags: "stone, black", pinned: true });
});

test("a known one stays as it is, which is said; so are secrets that were left out", async () => {
  const draft = new RememberDraft(undefined);
  vi.mocked(api.remember).mockResolvedValueOnce(reply({ deduped: true }));
  expect(await draft.save()).toMatchObject({ text: "Already saved.", hint: "" });
  Object.assign(draft, { tags: "stone" });
  vi.mocked(api.remember).mockResolvedValueOnce(reply({ deduped: true, redacted: 2 }));
  expect(await draft.save()).toMatchObject({
    text: "Already saved.",
    hint: "Its type, tags and pin stay as they were. 2 secrets were removed from the text.",
  });
});

test("what was saved is forgotten by its undo; what was there before offers none", async () => {
  const forget = vi.spyOn(api, "forget").mockResolvedValue({ id: "a", currentVersion: 1, newVersion: 2 } as never);
  const draft = new RememberDraft(undefined);
  const saved = await draft.save();
  await saved?.undo?.();
  expect(forget).toHaveBeenCalledWith("a", "undone in the dashboard", 1);
  vi.mocked(api.remember).mockResolvedValueOnce(reply({ deduped: true }));
  expect((await draft.save())?.undo).toBeUndefined();
});

test("a refusal is kept, and another attempt clears it", async () => {
  vi.mocked(api.remember).mockRejectedValueOnce(new ApiError(503, { code: "x", title: "Not now", detail: "It checks itself." }));
  const draft = new RememberDraft(undefined);
  expect([await draft.save(), draft.error?.title, draft.saving]).toEqual([undefined, "Not now", false]);
  const saving = draft.save();
  expect([draft.error, draft.saving]).toEqual([undefined, true]);
  await saving;
});
