import { expect, test, vi } from "vitest";

import { api, type MemoryRow, type MutationReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { render, press, type } from "$lib/testing";
import { keys } from "$lib/keys/registry.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import MemoryEditor from "./MemoryEditor.svelte";

const ROW = {
  id: "a",
  content: "Beryl is green.",
  type: "fact",
  tags: null,
  importance: 0.5,
  pinned: 0,
  project: null,
  agent_id: "default",
  visibility: "global",
  version: 1,
} as MemoryRow;

interface Answer {
  readonly saved: () => void;
  readonly refused: () => void;
}

/** Save, and leave before the answer comes. */
function left(): { answer: Answer; onsaved: () => void } {
  let answer: Answer | undefined;
  vi.spyOn(api, "modify").mockImplementation(
    () =>
      new Promise<MutationReply>((resolve, reject) => {
        answer = {
          saved: () => {
            resolve({} as MutationReply);
          },
          refused: () => {
            reject(new ApiError(503, { code: "x", title: "Not now", detail: "It checks itself." }));
          },
        };
      }),
  );
  const [onsaved, oncancel] = [vi.fn(), vi.fn()];
  const page = render(MemoryEditor, { row: ROW, onsaved, oncancel });
  const listen = (event: KeyboardEvent): void => {
    keys.handle(event);
  };
  addEventListener("keydown", listen);
  const text = page.querySelector("textarea");
  if (text === null) throw new Error("no field");
  type(text, "Beryl is blue.");
  press("Enter", { ctrlKey: true });
  press("Escape");
  press("Escape");
  removeEventListener("keydown", listen);
  expect(oncancel).toHaveBeenCalledOnce();
  if (answer === undefined) throw new Error("nothing was sent");
  return { answer, onsaved };
}

test("the answer to a save that was left does not end what is edited then", async () => {
  const { answer, onsaved } = left();
  answer.saved();
  await vi.waitFor(() => {
    expect(toasts.all.at(-1)?.text).toBe("Saved.");
  });
  expect(onsaved).not.toHaveBeenCalled();
});

test("where a save that was left is refused, that is told", async () => {
  left().answer.refused();
  await vi.waitFor(() => {
    expect(toasts.all.at(-1)).toMatchObject({ text: "Couldn't save the memory.", hint: "It checks itself." });
  });
});
