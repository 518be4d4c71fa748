/** What the Connections view says of an agent, as text. */

import type { HarnessRow, HookTestReply } from "$lib/api/client";

const EVENTS: Readonly<Record<NonNullable<HarnessRow["lastEvent"]>, string>> = {
  "session-start": "Session started",
  prompt: "Prompt",
  "tool-use": "File edited",
  "turn-end": "Turn ended",
  compaction: "Conversation compacted",
  subagent: "Subagent",
  "session-end": "Session ended",
  other: "Other",
};

/** What kind of event the last one was; "" if it arrived before the daemon started. */
export function eventText({ lastEvent }: HarnessRow): string {
  return lastEvent === null ? "" : EVENTS[lastEvent];
}

/** The installed version (undefined while it is looked up), and the one that the tests drive. */
export function versionText({ drivenVersion }: HarnessRow, installed: string | undefined): string {
  const own = installed === undefined ? "…" : installed === "" ? "Not known" : installed;
  const tests =
    drivenVersion === "" ? "Intaglio follows its documentation, but isn’t tested with it" : `Intaglio is tested with ${drivenVersion}`;
  return `${own} · ${tests}`;
}

export type TestTone = "ok" | "plain" | "warn";

export function testTone({ outcome }: HookTestReply): TestTone {
  return outcome === "works" ? "ok" : outcome === "untestable" ? "plain" : "warn";
}
