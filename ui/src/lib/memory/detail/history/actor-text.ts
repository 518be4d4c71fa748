/** Who made a change, in plain words: "Created by …". */

import type { HistoryEvent } from "$lib/api/client";

import { harnessName } from "../../evidence/harness-name";

/** What callers are named that give no name of their own. */
const UNNAMED: ReadonlyMap<string, string> = new Map([
  ["dashboard", "you, in the dashboard"],
  ["daemon", "a command or a program"],
]);

export function actorText({ changedBy, actorType }: Pick<HistoryEvent, "changedBy" | "actorType">): string {
  switch (actorType) {
    case "pipeline":
      return changedBy === "pipeline-shadow" ? "a language model, as a trial" : "a language model";
    case "daemon":
      return "Intaglio";
    case "agent":
    case "harness":
      return harnessName(changedBy);
    default:
      return UNNAMED.get(changedBy) ?? changedBy;
  }
}
