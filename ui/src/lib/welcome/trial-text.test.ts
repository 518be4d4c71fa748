import { expect, test } from "vitest";

import type { TriedStatement } from "$lib/api/first-run";

import { outcomeText } from "./trial-text";

const KEPT: TriedStatement = { content: "Use tabs.", type: "rule", outcome: "kept", everywhere: false };

test.each([
  [{}, "Would be kept as a rule for the project of the session."],
  [{ everywhere: true, type: "decision" }, "Would be kept as a decision for all projects."],
  [{ outcome: "suggested" }, "Would wait in your inbox: Intaglio isn’t sure enough to keep it without asking."],
  [{ outcome: "considered" }, "Would not be kept."],
] satisfies [Partial<TriedStatement>, string][])("%o reads as %s", (change, text) => {
  expect(outcomeText({ ...KEPT, ...change }).text).toBe(text);
});
