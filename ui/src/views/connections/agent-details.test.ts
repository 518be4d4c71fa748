import { expect, it } from "vitest";

import type { HarnessRow, HookTestReply } from "$lib/api/client";

import { eventText, testTone, versionText } from "./agent-details";

const row = (change: Partial<HarnessRow>): HarnessRow => ({ lastEvent: null, drivenVersion: "", ...change }) as HarnessRow;

it.each([
  [undefined, "2.1.330", "… · Intaglio is tested with 2.1.330"],
  ["", "2.1.330", "Not known · Intaglio is tested with 2.1.330"],
  ["1.0", "", "1.0 · Intaglio follows its documentation, but isn’t tested with it"],
])("installed %o, driven %o: %s", (installed, drivenVersion, text) => {
  expect(versionText(row({ drivenVersion }), installed)).toBe(text);
});

it("names the last event, unless it is of before the daemon's start", () => {
  expect(eventText(row({ lastEvent: "turn-end" }))).toBe("Turn ended");
  expect(eventText(row({}))).toBe("");
});

it.each([
  ["works", "ok"],
  ["untestable", "plain"],
  ["silent", "warn"],
] satisfies [HookTestReply["outcome"], string][])("a test that says %s is shown as %s", (outcome, tone) => {
  expect(testTone({ outcome } as HookTestReply)).toBe(tone);
});
