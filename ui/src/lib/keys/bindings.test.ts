import { expect, test, vi } from "vitest";

import { toasts } from "$lib/state/toasts.svelte";

import { Bindings } from "./bindings.svelte";

test("keys that are all reset are given back by undo", async () => {
  const bindings = new Bindings();
  const action = { id: "list.next", keys: ["j"] };
  bindings.set(action.id, ["n"]);
  bindings.resetAll();
  expect(bindings.of(action)).toEqual(["j"]);
  toasts.undo();
  await vi.waitFor(() => {
    expect(bindings.of(action)).toEqual(["n"]);
  });
});
