import { expect, test } from "vitest";

import type { Injection, SessionClaim, SessionDetail, SessionStatement } from "$lib/api/client";

import { concerns, eventsOf, matchesFilter } from "./session-events";
import { excerptOf, lengthOf, limitsOf, remindersOf, titleOf } from "./session-text";

const at = (minute: number, second = 0): string => new Date(Date.UTC(2026, 0, 30, 9, minute, second)).toISOString();

const LINE = {
  memoryId: "m1",
  content: "Use pnpm.",
  type: "rule",
  version: 1,
  changed: null,
  validUntil: null,
  pinned: false,
  project: null,
  state: "live",
  shown: true,
  constraint: false,
  reason: "rule",
  score: 0.8,
  tokens: 4,
} as const;

function told(id: number, event: string, when: string, more: Partial<Injection> = {}): Injection {
  return {
    id,
    event,
    source: null,
    promptId: null,
    at: when,
    tokens: 4,
    elapsedMs: 1,
    text: null,
    textState: "none",
    sessions: [],
    commits: [],
    words: [],
    lines: [LINE],
    more: 0,
    ...more,
  };
}

function said(messageId: string, more: Partial<SessionStatement> = {}): SessionStatement {
  return {
    messageId,
    start: 0,
    at: at(1),
    sentence: "use pnpm",
    content: "Use pnpm.",
    type: "rule",
    outcome: "kept",
    state: "live",
    memoryId: "m1",
    memoryState: "live",
    inboxId: null,
    inboxStatus: null,
    inboxAction: null,
    result: "captured",
    ...more,
  };
}

const SESSION: SessionDetail = {
  id: "1",
  key: "s1",
  harness: "claude-code",
  agent: "default",
  project: "/work/shop",
  cwd: null,
  runtimePath: null,
  claimedAt: at(0),
  bypassed: false,
  bypassedBy: null,
  start: at(0),
  lastActive: at(9),
  end: at(9),
  endReason: "exit",
  title: "Fix the outage",
  firstPrompt: "Fix the outage",
  messages: 2,
  kept: [],
  summary: "",
  passage: "",
  words: [],
  open: false,
  told: 1,
  asked: 2,
  captured: 1,
  suggested: 0,
  tokens: 8,
  injections: [],
  moreInjections: false,
  prompts: [],
  morePrompts: false,
  transcript: "read",
  stored: { messages: 0, characters: 0 },
  statements: [],
  moreStatements: false,
  saved: [],
  moreSaved: false,
  claims: [],
  replaced: [],
  moreClaims: false,
  considered: [],
  reminders: [],
  reminderTokens: 0,
  topics: [],
  inPlay: { entities: [], aspects: [] },
  decisions: [],
};

const CLAIM: SessionClaim = {
  inboxId: "i1",
  content: "Use make.",
  type: "rule",
  at: at(4),
  inboxStatus: "open",
  memoryId: null,
  memoryState: null,
  result: "suggested",
};

const titles = (session: SessionDetail): string[] => eventsOf(session).map((event) => `${event.kind} ${event.id}`);

test("what was told, asked, said and saved stands in order of time", () => {
  const session = {
    ...SESSION,
    injections: [told(1, "session_start", at(0)), told(2, "prompt", at(1, 1)), told(3, "recall", at(2))],
    prompts: [{ messageId: "p1", at: at(1), text: "hello" }],
    statements: [said("p1")],
    saved: [{ memoryId: "m2", byAgent: false, byModel: false, content: "Kept.", type: "fact", state: "live", at: at(3) } as const],
    claims: [CLAIM],
  };
  expect(titles(session)).toEqual(["start told-1", "asked asked-p1", "recall told-3", "saved saved-m2", "claimed claimed-i1", "end end"]);
  const asked = eventsOf(session)[1];
  expect(asked).toMatchObject({ told: { id: 2 }, statements: [{ messageId: "p1" }] });
  expect(asked && concerns(asked, "m1")).toBe(true);
});

test("what the agent did by itself is named as such", () => {
  const saved = { memoryId: "m2", byAgent: true, byModel: false, content: "Kept.", type: "fact", state: "live", at: at(3) } as const;
  const kept = { ...CLAIM, inboxStatus: "done", memoryId: "m3", memoryState: "live", result: "suggestion_kept" } as const;
  const injections = [told(1, "recall", at(1), { words: ["make", "ship"] }), told(2, "recall", at(2))];
  const events = eventsOf({ ...SESSION, injections, saved: [saved], claims: [kept], end: null });
  expect(events.map(titleOf)).toEqual(["Searched for make, ship", "Read memories", "Saved by the agent", "Suggested by the agent"]);
  expect(events.filter((event) => concerns(event, "m3")).map(({ kind }) => kind)).toEqual(["claimed"]);
  expect(events.filter((event) => matchesFilter(event, "captured")).map(({ kind }) => kind)).toEqual(["saved", "claimed"]);
});

test("what was told with an edit is named as such", () => {
  const injections = [told(1, "session_start", at(0)), told(2, "edit", at(1))];
  const events = eventsOf({ ...SESSION, injections, end: null });
  expect(events.map(titleOf)).toEqual(["Started", "Edited a file"]);
  expect(events.filter((event) => matchesFilter(event, "told"))).toHaveLength(2);
});

test("a reminder stands behind its prompt, and counts as captured only if something came of it", () => {
  const given = { promptId: null, messageId: null, at: at(1), wording: 1, tokens: 46, confidence: 0.4 };
  const reminders = [
    { ...given, id: 1, outcome: "saved" as const, results: [{ result: "saved" as const, memoryId: "m2", inboxId: null }] },
    { ...given, id: 2, at: at(2), outcome: "nothing" as const, results: [] },
  ];
  const session = { ...SESSION, prompts: [{ messageId: "p1", at: at(1), text: "hello" }], reminders, reminderTokens: 92 };
  const events = eventsOf(session);
  expect(events.map(({ id }) => id)).toEqual(["asked-p1", "reminded-1", "reminded-2", "end"]);
  expect(events.filter((event) => matchesFilter(event, "captured")).map(({ id }) => id)).toEqual(["reminded-1"]);
  expect(remindersOf(session)).toBe("2 reminders (92 tokens)");
  expect(remindersOf(SESSION)).toBe("");
});

test("what a prompt was told is matched by its id, else by the nearest time, each once", () => {
  const prompts = [0, 10, 20].map((second) => ({ messageId: `p${String(second)}`, at: at(1, second), text: "x" }));
  const injections = [told(1, "prompt", at(1, 1)), told(2, "prompt", at(1, 11)), told(3, "prompt", at(8), { promptId: "p20" })];
  const asked = eventsOf({ ...SESSION, prompts, injections }).filter(({ kind }) => kind === "asked");
  expect(asked.map((event) => ("told" in event ? event.told?.id : 0))).toEqual([1, 2, 3]);
});

test("without a transcript, prompts and statements stand on their own", () => {
  const session = {
    ...SESSION,
    transcript: "missing" as const,
    injections: [told(1, "prompt", at(1))],
    statements: [said("p9", { at: at(2) })],
  };
  const events = eventsOf(session);
  expect(events.map(titleOf)).toEqual(["Your prompt", "You said", "Ended"]);
  expect(events.filter((event) => matchesFilter(event, "captured")).map(({ id }) => id)).toEqual(["asked-p9"]);
  expect(events.filter((event) => matchesFilter(event, "told")).map(({ id }) => id)).toEqual(["told-1"]);
});

test("without a transcript, a sentence stands where its prompt was told about", () => {
  const session = {
    ...SESSION,
    transcript: "missing" as const,
    injections: [told(1, "prompt", at(1, 2))],
    statements: [said("p9", { at: at(1) })],
  };
  const [asked, end] = eventsOf(session);
  expect(asked).toMatchObject({ told: { id: 1 }, statements: [{ messageId: "p9" }] });
  expect(end?.kind).toBe("end");
});

test("a list that ends at its limit is named", () => {
  expect(limitsOf(SESSION)).toEqual([]);
  expect(
    limitsOf({
      ...SESSION,
      injections: [told(1, "prompt", at(1)), told(2, "prompt", at(2))],
      moreInjections: true,
      morePrompts: true,
      moreStatements: true,
      moreSaved: true,
      moreClaims: true,
    }),
  ).toEqual([
    "Only what it was told the first 2 times is shown.",
    "Only the first 0 prompts are shown.",
    "Only the first 0 captured sentences are shown.",
    "Only the first 0 saved memories are shown.",
    "Only the first 0 suggestions of the agent are shown.",
  ]);
});

test("a session's second line is where its words were found, else its summary, its first prompt, or what was kept", () => {
  const row = { ...SESSION, title: "Fix the outage", firstPrompt: "The checkout is down", kept: ["Page Priya first."] };
  expect(excerptOf({ ...row, passage: "… the outage …" })).toBe("… the outage …");
  expect(excerptOf({ ...row, summary: "The outage was traced to DNS." })).toBe("The outage was traced to DNS.");
  expect(excerptOf(row)).toBe("The checkout is down");
  expect(excerptOf({ ...row, firstPrompt: "fix the  outage of last night" })).toBe("Kept: Page Priya first.");
  expect(excerptOf({ ...row, firstPrompt: "", kept: [] })).toBe("");
});

test("a session's length is its messages, or its prompts, and how long it took", () => {
  expect(lengthOf({ ...SESSION, messages: 1_204 })).toBe("1,204 messages · 9 min");
  expect(lengthOf({ ...SESSION, messages: 0, asked: 1, end: null, lastActive: at(0, 30) })).toBe("1 prompt");
});
