import { expect, it } from "vitest";

import { authText, intervalChoices, pendingTexts } from "./git-text";

it("says what waits, each with its number", () => {
  expect(pendingTexts({ uncommittedChanges: 1, unpushedCommits: 2, unpulledCommits: 3 })).toEqual([
    "1 file not committed",
    "2 commits not pushed",
    "3 commits not pulled",
  ]);
  expect(pendingTexts({ uncommittedChanges: 0, unpushedCommits: null, unpulledCommits: null })).toEqual([]);
});

it("offers the usual intervals and the one that is set, in their order", () => {
  expect(intervalChoices({ syncInterval: 300 }).map(({ label }) => label)).toEqual([
    "Every minute",
    "Every 5 minutes",
    "Every 15 minutes",
    "Every hour",
  ]);
  const [, second, , , last] = intervalChoices({ syncInterval: 90 });
  expect([second?.label, last?.value]).toEqual(["Every 90 seconds", "3600"]);
  expect(intervalChoices({ syncInterval: 7_200 }).at(-1)?.label).toBe("Every 2 hours");
});

it("names the way of signing in, also one that it doesn't know", () => {
  expect([authText({ authMethod: null }), authText({ authMethod: "ssh" }), authText({ authMethod: "vault" })]).toEqual([
    "None found",
    "SSH key",
    "vault",
  ]);
});
