import { expect, test } from "vitest";

import { stable } from "./stable";

test("a value stays the same object until it says something else", () => {
  let next = { q: "a" };
  const read = stable(() => ({ ...next }));
  const first = read();
  expect(read()).toBe(first);
  next = { q: "b" };
  expect(read()).toEqual({ q: "b" });
});
