import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";

import { toasts } from "$lib/state/toasts.svelte";

import Lazy from "./Lazy.svelte";

test("a part that was left and does not come leaves nothing else", async () => {
  let fail = (): void => undefined;
  const load = (): Promise<{ default: string }> =>
    new Promise((_, reject) => {
      fail = () => {
        reject(new Error("gone"));
      };
    });
  const oncancel = vi.fn();
  const part = mount(Lazy<string>, {
    target: document.body,
    props: { load, oncancel, children: createRawSnippet(() => ({ render: () => "<p></p>" })) },
  });
  flushSync();
  await unmount(part);
  fail();
  await new Promise((resolve) => setTimeout(resolve));
  expect([oncancel.mock.calls.length, toasts.all.length]).toEqual([0, 0]);
});
