import { expect, it } from "vitest";

import type { HarnessRow, HookTestReply } from "$lib/api/client";

import { connectionLine, connectionText, eventName, isOnThisComputer, isRemovable, testTone, toolsText } from "./connection-text";

const ROW: HarnessRow = {
  name: "My Agent",
  id: "my-agent",
  path: "/home/kim/.my/settings.json",
  exists: true,
  lastSeen: null,
  connection: "not",
  reason: "",
  hint: "",
  command: "intaglio connect my-agent",
  tools: "registered",
  toolsReason: "",
  lastEvent: null,
  leftOver: false,
  concerns: [],
  drivenVersion: "",
};

it.each([
  [{}, "Not connected", "Connect"],
  [{ exists: false }, "Not found on this computer", "Connect"],
  [{ connection: "partly" }, "Partly connected", "Repair"],
  [{ connection: "refused", reason: "It is no JSON.", hint: "Repair it." }, "Can't be connected", "Connect"],
  [{ connection: "connected" }, "Connected, waiting for its first event", ""],
  [{ connection: "connected", lastSeen: "2026-03-04T11:00:00Z" }, "Connected", ""],
  [{ connection: "connected", concerns: [{ text: "It is off.", hint: "Turn it on." }] }, "Connected, but its hooks don’t run", ""],
  [{ connection: "partly", leftOver: true }, "Left over from an earlier installation", "Connect"],
] satisfies [Partial<HarnessRow>, string, string][])("%o reads as %s", (change, status, act) => {
  const text = connectionText({ ...ROW, ...change });
  expect([text.status, text.act]).toEqual([status, act]);
  expect(text.next !== "" || text.tone === "ok").toBe(true);
});

it.each([
  [{}, "Registered", "Remove"],
  [{ tools: "included" }, "Included in the plugin", ""],
  [{ tools: "outdated" }, "Registered for an older version", "Repair"],
  [{ tools: "declined" }, "Turned off", "Register"],
  [{ tools: "refused", toolsReason: "It is no JSON." }, "Can't be registered: It is no JSON.", ""],
  [{ tools: "unsupported" }, undefined, undefined],
] satisfies [Partial<HarnessRow>, string | undefined, string | undefined][])("the tools of %o read as %s", (change, status, act) => {
  const text = toolsText({ ...ROW, ...change });
  expect([text?.status, text?.act]).toEqual([status, act]);
});

it("says why settings cannot be changed, and what to do", () => {
  const { next } = connectionText({ ...ROW, connection: "refused", reason: "It is no JSON.", hint: "Repair it." });
  expect(next).toContain("It is no JSON. Repair it.");
});

it("says what keeps hooks from running, and what to do", () => {
  const concerns = [{ text: "It is off.", hint: "Turn it on." }];
  expect(connectionText({ ...ROW, connection: "connected", concerns }).next).toBe("It is off. Turn it on.");
});

it.each([
  [{ exists: false }, false, false],
  [{ exists: false, connection: "partly" }, true, true],
  [{ exists: false, leftOver: true }, true, true],
  [{}, true, false],
] satisfies [Partial<HarnessRow>, boolean, boolean][])("%o is on this computer: %s, can be removed: %s", (change, here, removable) => {
  const row = { ...ROW, ...change };
  expect([isOnThisComputer(row), isRemovable(row)]).toEqual([here, removable]);
});

it("is one line in a report, without the folders of the user", () => {
  expect(connectionLine(ROW)).toBe("My Agent: not connected (no event yet)");
});

it("names a kind of event, unless it isn't known", () => {
  expect([eventName("turn-end"), eventName(null), eventName("new-kind")]).toEqual(["Turn ended", "", ""]);
});

it.each([
  ["works", "ok"],
  ["untestable", "plain"],
  ["silent", "warn"],
] satisfies [HookTestReply["outcome"], string][])("a test that says %s is shown as %s", (outcome, tone) => {
  expect(testTone({ outcome } as HookTestReply)).toBe(tone);
});
