/** What people read of the events of a timeline, and what these link to. */

import type { EventTimelineEvent } from "$lib/api/timeline";
import { plural } from "$lib/plural";

export interface TimelineLink {
  readonly href: string;
  readonly label: string;
}

type Details = EventTimelineEvent["details"];

const HISTORY: Readonly<Record<string, string>> = {
  created: "Created",
  updated: "Changed",
  deleted: "Forgotten",
  recovered: "Restored",
  replaced: "Replaced",
  reinstated: "Used again",
  none: "Repeated",
  asked: "Asked in the inbox",
  started: "Session started",
  ended: "Session ended",
  reminded: "Agent was reminded to save",
  summarised: "Summarized by a language model",
  checkpoint: "Checkpoint",
  kept: "Memory captured",
  suggested: "Memory suggested",
  withdrawal: "Taken back",
  named: "Named by a memory",
  pinned: "Pinned",
  pruned: "Pruned",
};

/** Shown by their links, or part of the title. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["memoryId", "session", "requestId", "item", "actor", "actorType", "sessionId"]);

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1).replaceAll("_", " ");
}

/** The number of a detail; 0 if it isn't one. */
function count(details: Details, name: string): number {
  const value = details[name];
  return typeof value === "number" ? value : 0;
}

export function titleOf({ source, event, details }: EventTimelineEvent): string {
  if (source === "error") return `Error ${event}`;
  if (source === "log") return `Log: ${event}`;
  if (source === "job") return event === "model call" ? "A language model was asked" : `Background work ${event}`;
  switch (event) {
    case "told":
      return "told" in details ? `Told ${plural(count(details, "told"), "memory", "memories")}` : "Told to a session";
    case "considered":
      return `Told nothing of ${plural(count(details, "considered"), "memory", "memories")}`;
    case "rated":
      return `Rated ${String(count(details, "rating"))}`;
    case "decided":
      return `Decided in the inbox: ${String(details.action ?? "closed")}`;
    default:
      return HISTORY[event] ?? capitalised(event);
  }
}

/** The remaining details in one line: "stage extract · 1,200 ms". */
export function detailOf({ event, details }: EventTimelineEvent): string {
  return Object.entries(details)
    .filter(([name, value]) => value !== null && !SHOWN_ELSEWHERE.has(name) && !(event === "rated" && name === "rating"))
    .map(([name, value]) => {
      const shown = typeof value === "number" ? value.toLocaleString() : String(value);
      return name === "ms" || name === "tokens" ? `${shown} ${name}` : `${name} ${shown}`;
    })
    .join(" · ");
}

/** What an event links to, apart from what the timeline is about. */
export function linksOf({ details }: EventTimelineEvent, about: string): readonly TimelineLink[] {
  const { memoryId, session, requestId } = details;
  const links: TimelineLink[] = [];
  if (typeof memoryId === "string" && memoryId !== about)
    links.push({ href: `/memories/${encodeURIComponent(memoryId)}`, label: "Show the memory" });
  if (typeof session === "number" && String(session) !== about)
    links.push({ href: `/sessions/${String(session)}`, label: "Show the session" });
  if (typeof requestId === "string" && requestId !== about)
    links.push({ href: `/logs?request=${encodeURIComponent(requestId)}`, label: "Log of the request" });
  return links;
}
