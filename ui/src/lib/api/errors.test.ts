import { expect, test } from "vitest";

import { problemOf } from "./errors";

test("a hint for programs isn't shown to people, and each sentence ends", () => {
  const of = (hint: string): string => problemOf(404, { hint }).hint;
  expect(of("GET /api/sessions lists the sessions.")).toBe("");
  expect(of("Preview it again, then send its confirmToken.")).toBe("");
  expect(of("It may not be embedded yet; GET /api/status shows the progress.")).toBe("It may not be embedded yet.");
  expect(of("Fix the file first; until then, nothing is written.")).toBe("Fix the file first. Until then, nothing is written.");
  expect(of("Run `intaglio dashboard` to sign in")).toBe("Run `intaglio dashboard` to sign in.");
  expect(problemOf(404, { detail: "Session not found" }).message).toBe("Session not found.");
});
