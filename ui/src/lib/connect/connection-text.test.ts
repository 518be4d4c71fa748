import { expect, it } from "vitest";

import type { HarnessRow } from "$lib/api/client";

import { connectionLine, connectionText, toolsText } from "./connection-text";

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
};

it.each([
  [{}, "Not connected", "Connect"],
  [{ exists: false }, "Not found on this computer", "Connect"],
  [{ connection: "partly" }, "Partly connected", "Repair"],
  [{ connection: "refused", reason: "It is no JSON.", hint: "Repair it." }, "Can't be connected", "Connect"],
  [{ connection: "connected" }, "Connected, waiting for its first event", ""],
  [{ connection: "connected", lastSeen: "2026-03-04T11:00:00Z" }, "Connected", ""],
] satisfies [Partial<HarnessRow>, string, string][])("%o reads as %s", (change, status, act) => {
  const text = connectionText({ ...ROW, ...change });
  expect([text.status, text.act]).toEqual([status, act]);
  expect(text.next !== "" || text.tone === "ok").toBe(true);
});

it.each([
  [{}, "Registered", "Remove"],
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

it("is one line in a report, without the folders of the user", () => {
  expect(connectionLine(ROW)).toBe("My Agent: not connected (no event yet)");
});
