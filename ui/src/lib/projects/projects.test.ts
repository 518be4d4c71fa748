import { expect, test } from "vitest";

import { asksForGlobal, projectPath } from "./projects.svelte";

test.each([
  ["global=1", true],
  ["global=true", true],
  ["project=a", false],
  ["global=0", false],
])("%s asks for what applies to all projects: %s", (query, asks) => {
  expect(asksForGlobal(new URLSearchParams(query))).toBe(asks);
});

test("the address of what applies to all projects is understood", () => {
  expect(asksForGlobal(new URL(projectPath(null), "http://intaglio").searchParams)).toBe(true);
});
