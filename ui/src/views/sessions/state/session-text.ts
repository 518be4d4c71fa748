/** What became of the things in a session, in words. */

import type { Checkpoint, Injection, SessionDetail, SessionReminder, SessionRow, SessionStatement } from "$lib/api/client";

import { left } from "$lib/components/time/format";
import { firstPromptOf } from "$lib/session/session-title";

import type { SessionEvent } from "./session-events";

export type Tone = "plain" | "accent" | "ok" | "info" | "warn" | "danger";

interface Outcome {
  readonly label: string;
  readonly tone: Tone;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** Things in words: "2 past sessions, 1 commit and 3 memories"; empty ones are left out. */
export function listed(parts: readonly string[]): string {
  const some = parts.filter((part) => part !== "");
  return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} and ${some.at(-1) ?? ""}`;
}

/** How much of what was said is stored. */
export function storedOf({ messages, characters }: SessionDetail["stored"]): string {
  return `${counted(messages, "message")} stored (${Math.ceil(characters / 1000).toLocaleString()} kB)`;
}

export const memories = (count: number): string => counted(count, "memory", "memories");

/** What became of something that the user said. */
export const RESULTS: Readonly<Record<SessionStatement["result"], Outcome>> = {
  captured: { label: "Captured", tone: "ok" },
  suggested: { label: "Suggested", tone: "info" },
  suggestion_kept: { label: "Suggested, kept", tone: "ok" },
  suggestion_said_again: { label: "Suggested, kept: said again", tone: "ok" },
  suggestion_dropped: { label: "Suggested, dropped", tone: "plain" },
  suggestion_withdrawn: { label: "Suggested, taken back", tone: "plain" },
  suggestion_expired: { label: "Suggested, expired", tone: "plain" },
  withdrawal: { label: "Took something back", tone: "plain" },
  withdrawn: { label: "Taken back later", tone: "plain" },
  replaced: { label: "Replaced by something said later", tone: "plain" },
  forgotten: { label: "Captured, forgotten since", tone: "warn" },
  erased: { label: "Erased", tone: "warn" },
};

/** What came of a save reminder until its turn ended. */
export const REMINDED: Readonly<Record<SessionReminder["outcome"], Outcome>> = {
  waiting: { label: "Waiting", tone: "plain" },
  saved: { label: "Saved", tone: "ok" },
  known: { label: "Known already", tone: "ok" },
  suggested: { label: "Suggested", tone: "info" },
  nothing: { label: "Nothing to save", tone: "plain" },
};

const STARTS: Readonly<Record<string, string>> = {
  resume: "Resumed",
  clear: "Context cleared",
  compact: "Context compacted",
  fork: "Forked",
};

/** The inbox page of a suggestion, open or done. */
export function inboxPath(id: string, status: string | null): string {
  const item = `item=${encodeURIComponent(id)}`;
  return status === "open" ? `/inbox?${item}` : `/inbox?status=done&${item}`;
}

export function titleOf(event: SessionEvent): string {
  switch (event.kind) {
    case "start":
      return STARTS[event.told.source ?? ""] ?? "Started";
    case "recall":
      return event.told.words.length === 0 ? "Read memories" : `Searched for ${event.told.words.join(", ")}`;
    case "edit":
      return "Edited a file";
    case "asked":
      return event.prompt === undefined && event.told === undefined ? "You said" : "Your prompt";
    case "saved":
      if (event.saved.byModel) return "Noted by your language model";
      return event.saved.byAgent ? "Saved by the agent" : "Saved a memory";
    case "claimed":
      return "Suggested by the agent";
    case "reminded":
      return "Reminded the agent to save";
    case "replaced":
      return "Replaced";
    case "end":
      return "Ended";
  }
}

/** Why the exact text isn't there. */
export const NO_TEXT: Readonly<Record<Injection["textState"], string>> = {
  kept: "",
  none: "",
  expired: "The exact text is no longer kept.",
  erased: "The exact text was deleted because one of its memories was erased.",
};

/** Which lists of the session have only their first events, a sentence each. */
export function limitsOf(session: SessionDetail): string[] {
  const cut: [boolean, readonly unknown[], string, string][] = [
    [session.moreInjections, session.injections, "what it was told the first", "times is"],
    [session.morePrompts, session.prompts, "the first", "prompts are"],
    [session.moreStatements, session.statements, "the first", "captured sentences are"],
    [session.moreSaved, session.saved, "the first", "saved memories are"],
    [session.moreClaims, session.claims, "the first", "suggestions of the agent are"],
  ];
  return cut
    .filter(([more]) => more)
    .map(([, events, before, after]) => `Only ${before} ${events.length.toLocaleString()} ${after} shown.`);
}

/** Why the user's words aren't there; empty if they are. */
export const NO_WORDS: Readonly<Record<SessionDetail["transcript"], string>> = {
  read: "",
  missing: "The transcript of this session is gone, so only the sentences that were captured are left of what you said.",
  unreadable: "The transcript of this session couldn't be read, so only the sentences that were captured are shown.",
  none: "This agent doesn't say where its transcript is, so only the sentences that were captured are shown.",
};

/** Why a session ended, as its harness says; empty where that says nothing. */
export function endReasonText(reason: string | null): string {
  if (reason === null || reason === "other") return "";
  return reason === "prompt_input_exit" ? "you quit" : reason.replaceAll("_", " ");
}

/** Why a checkpoint was noted. */
export const TRIGGERS: Readonly<Record<Checkpoint["trigger"], string>> = {
  periodic: "During the session",
  pre_compaction: "Before a compaction",
  compaction: "After a compaction",
  session_end: "At the end",
};

/** What is said below the switch that keeps a session out of memory. */
export function bypassNote({ bypassed, bypassedBy }: Pick<SessionRow, "bypassed" | "bypassedBy">): string {
  if (!bypassed) return "Nothing is told or kept while it is off, and what is said meanwhile isn't captured later either.";
  const who = bypassedBy === "agent" ? "Your agent switched the session off." : "Your agent can't switch the session on again.";
  return `Nothing is told or kept. ${who}`;
}

/** One line that says what the session was told and led to. */
export function flowOf({ told, asked, captured, suggested }: SessionRow): string {
  const parts = [`${told.toLocaleString()} told`, `${asked.toLocaleString()} asked`, `${captured.toLocaleString()} captured`];
  return parts.join(" → ") + (suggested === 0 ? "" : `, ${suggested.toLocaleString()} suggested`);
}

/** How often the agent was reminded, and what that cost apart from what it was told; empty for never. */
export function remindersOf({ reminders, reminderTokens }: SessionDetail): string {
  if (reminders.length === 0) return "";
  return `${counted(reminders.length, "reminder")} (${counted(reminderTokens, "token")})`;
}

/** How long a session was: its messages, or its prompts if none are stored, and its duration. */
export function lengthOf({ messages, asked, start, end, lastActive }: SessionRow): string {
  const said = messages > 0 ? counted(messages, "message") : asked > 0 ? counted(asked, "prompt") : "";
  return [said, durationOf({ start, end, lastActive })].filter((part) => part !== "").join(" · ");
}

const MINUTE_MS = 60_000;

/** How long it took; empty for less than a minute. */
export function durationOf({ start, end, lastActive }: Pick<SessionRow, "start" | "end" | "lastActive">): string {
  const until = end ?? lastActive;
  return Date.parse(until) - Date.parse(start) < MINUTE_MS ? "" : left(until, Date.parse(start));
}

/**
 * The line below a session's title: where the search found its words, else its summary, its first prompt, or what was
 * kept.
 */
export function excerptOf(row: SessionRow): string {
  if (row.passage !== "") return row.passage;
  if (row.summary !== "") return row.summary;
  const prompt = firstPromptOf(row);
  if (prompt !== "" || row.kept.length === 0) return prompt;
  return `Kept: ${row.kept.join(" · ")}`;
}

/** The number of sessions, for the filter bar. */
export function countText(count: number, isComplete: boolean): string {
  return isComplete ? counted(count, "session") : `${count.toLocaleString()}+ sessions`;
}
