import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";

import { toasts } from "$lib/state/toasts.svelte";

import Later from "./Later.svelte";

test("a part that was left and does not come leaves nothing else", async () => {
  let fail = (): void => undefined;
  const load = (): Promise<{ default: string }> => new Promise((_, reject) => {
    fail = () => { reject(new Error("gone")); };
  });
  const onleave = vi.fn();
  const part = mount(Later<string>, {
    target: document.body,
    props: { load, onleave, children: createRawSnippet(() => ({ render: () => "<p></p>" })) },
  });
  flushSync();
  await unmount(part);
  fail();
  await new Promise((resolve) => setTimeout(resolve));
  expect([onleave.mock.calls.length, toasts.all.length]).toEqual([0, 0]);
});
