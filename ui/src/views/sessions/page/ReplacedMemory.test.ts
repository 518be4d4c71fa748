import { expect, test, vi } from "vitest";

import { api } from "$lib/api/client";
import { render } from "$lib/testing";

import ReplacedMemory from "./ReplacedMemory.svelte";

const REPLACED = {
  memoryId: "m 1",
  content: "Sessions are in Redis.",
  byMemoryId: "m2",
  byContent: "Sessions are in PostgreSQL.",
  at: "2026-01-30T09:00:00Z",
};

test("what was said in a session names what it replaced, and is undone there", () => {
  const reinstate = vi.spyOn(api, "reinstate").mockResolvedValue({} as never);
  const page = render(ReplacedMemory, { replaced: REPLACED });
  expect([...page.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Sessions are in Redis.", "/memories/m%201"],
    ["Sessions are in PostgreSQL.", "/memories/m2"],
  ]);
  page.querySelector("button")?.click();
  expect(reinstate).toHaveBeenCalledExactlyOnceWith("m 1", "used again in the dashboard");
});
