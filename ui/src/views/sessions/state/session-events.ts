/** What happened in a session, in the order in which it happened: told, asked, captured, recalled, saved, suggested, reminded. */

import type {
  AskedPrompt,
  Injection,
  InjectionLine,
  ReplacedMemory,
  SavedMemory,
  SessionClaim,
  SessionDetail,
  SessionReminder,
  SessionStatement,
} from "$lib/api/client";

/** What is shown of the timeline. */
export type EventFilter = "told" | "asked" | "captured";

interface BaseEvent {
  /** Unique in the session, also after a reload. */
  readonly id: string;
  /** An ISO-8601 timestamp. */
  readonly at: string;
}

/** It was told something at its start or with an edit, or its agent recalled something. */
export interface ToldEvent extends BaseEvent {
  readonly kind: "start" | "recall" | "edit";
  readonly told: Injection;
}

/** The user asked something: the words, as far as they are known, what was told with them, and what they said. */
export interface AskedEvent extends BaseEvent {
  readonly kind: "asked";
  readonly prompt: AskedPrompt | undefined;
  readonly told: Injection | undefined;
  readonly statements: readonly SessionStatement[];
}

export interface SavedEvent extends BaseEvent {
  readonly kind: "saved";
  readonly saved: SavedMemory;
}

/** The agent suggested something by itself. */
export interface ClaimedEvent extends BaseEvent {
  readonly kind: "claimed";
  readonly claim: SessionClaim;
}

/** The agent was reminded to save what a prompt may hold. */
export interface RemindedEvent extends BaseEvent {
  readonly kind: "reminded";
  readonly reminder: SessionReminder;
}

/** What was said in it replaced a memory. */
export interface ReplacedEvent extends BaseEvent {
  readonly kind: "replaced";
  readonly replaced: ReplacedMemory;
}

export interface EndEvent extends BaseEvent {
  readonly kind: "end";
}

export type SessionEvent = ToldEvent | AskedEvent | SavedEvent | ClaimedEvent | RemindedEvent | ReplacedEvent | EndEvent;

/** A prompt is told about within this time; the transcript and the daemon have clocks of their own. */
const NEAR_MS = 30_000;

/** The id of a statement's element on the page, for links to it. */
export function statementId({ messageId, start }: Pick<SessionStatement, "messageId" | "start">): string {
  return `said-${messageId}-${String(start)}`;
}

/** A message of the user, with its words as far as they are known. */
interface Message {
  readonly messageId: string;
  readonly at: string | null;
  readonly prompt?: AskedPrompt;
}

function distance(prompt: Message, told: Injection): number {
  const between = prompt.at === null ? NaN : Math.abs(Date.parse(prompt.at) - Date.parse(told.at));
  return Number.isNaN(between) ? Infinity : between;
}

/** Which prompt each injection came with: the one that it names, else the nearest in time. */
function promptsOf(prompts: readonly Message[], injections: readonly Injection[]): ReadonlyMap<Injection, Message> {
  const named = new Map(prompts.map((prompt) => [prompt.messageId, prompt]));
  const found = new Map<Injection, Message>();
  for (const told of injections) {
    const prompt = told.promptId === null ? undefined : named.get(told.promptId);
    if (prompt !== undefined) found.set(told, prompt);
  }
  const taken = new Set(found.values());
  let from = 0;
  for (const told of injections) {
    if (found.has(told)) continue;
    // Both are in order of time, so the search goes on where it ended.
    while (from < prompts.length && isLongBefore(prompts[from], told)) from += 1;
    let nearest: Message | undefined;
    for (let index = from; index < prompts.length; index += 1) {
      const prompt = prompts[index];
      if (prompt === undefined || isLongAfter(prompt, told)) break;
      if (taken.has(prompt) || distance(prompt, told) > NEAR_MS) continue;
      if (nearest === undefined || distance(prompt, told) < distance(nearest, told)) nearest = prompt;
    }
    if (nearest === undefined) continue;
    taken.add(nearest);
    found.set(told, nearest);
  }
  return found;
}

function isLongBefore(prompt: Message | undefined, told: Injection): boolean {
  return prompt !== undefined && (prompt.at === null || Date.parse(prompt.at) < Date.parse(told.at) - NEAR_MS);
}

function isLongAfter(prompt: Message, told: Injection): boolean {
  return prompt.at !== null && Date.parse(prompt.at) > Date.parse(told.at) + NEAR_MS;
}

/** Group statements by the message they were said in, in order. */
function byMessage(statements: readonly SessionStatement[]): Map<string, SessionStatement[]> {
  const messages = new Map<string, SessionStatement[]>();
  for (const said of statements) {
    const others = messages.get(said.messageId);
    if (others === undefined) messages.set(said.messageId, [said]);
    else others.push(said);
  }
  for (const said of messages.values()) said.sort((one, other) => one.start - other.start);
  return messages;
}

/** The prompts, and the messages of which only what was said in them is known; in order of time. */
function messagesOf(prompts: readonly AskedPrompt[], said: ReadonlyMap<string, readonly SessionStatement[]>): Message[] {
  const known = prompts.map((prompt): Message => ({ messageId: prompt.messageId, at: prompt.at, prompt }));
  const ids = new Set(known.map(({ messageId }) => messageId));
  const others = [...said].flatMap(([messageId, statements]): Message[] =>
    ids.has(messageId) ? [] : [{ messageId, at: statements[0]?.at ?? null }],
  );
  if (others.length === 0) return known;
  return [...known, ...others].sort((one, other) => (one.at ?? "").localeCompare(other.at ?? ""));
}

/** All events of a session, oldest first. */
export function eventsOf(session: SessionDetail): SessionEvent[] {
  const withPrompt = session.injections.filter(({ event }) => event === "prompt");
  const said = byMessage(session.statements);
  const messages = messagesOf(session.prompts, said);
  const promptOf = promptsOf(messages, withPrompt);
  const toldWith = new Map([...promptOf].map(([told, message]) => [message, told]));
  const events: SessionEvent[] = [];
  let last = session.start;
  for (const message of messages) {
    const told = toldWith.get(message);
    last = message.at ?? told?.at ?? last;
    events.push({
      kind: "asked",
      id: `asked-${message.messageId}`,
      at: last,
      prompt: message.prompt,
      told,
      statements: said.get(message.messageId) ?? [],
    });
  }
  for (const told of session.injections) {
    if (promptOf.has(told)) continue;
    const id = `told-${String(told.id)}`;
    if (told.event !== "prompt") events.push({ kind: toldKind(told.event), id, at: told.at, told });
    else events.push({ kind: "asked", id, at: told.at, prompt: undefined, told, statements: [] });
  }
  for (const saved of session.saved) events.push({ kind: "saved", id: `saved-${saved.memoryId}`, at: saved.at, saved });
  for (const claim of session.claims) events.push({ kind: "claimed", id: `claimed-${claim.inboxId}`, at: claim.at, claim });
  for (const reminder of session.reminders)
    events.push({ kind: "reminded", id: `reminded-${String(reminder.id)}`, at: reminder.at, reminder });
  for (const replaced of session.replaced)
    events.push({ kind: "replaced", id: `replaced-${replaced.memoryId}`, at: replaced.at, replaced });
  if (session.end !== null) events.push({ kind: "end", id: "end", at: session.end });
  return inOrder(events);
}

function toldKind(event: string): ToldEvent["kind"] {
  return event === "recall" || event === "edit" ? event : "start";
}

/** The order of events with equal times. */
const RANKS: Record<SessionEvent["kind"], number> = {
  start: 0,
  asked: 1,
  reminded: 2,
  recall: 3,
  edit: 3,
  saved: 4,
  claimed: 5,
  replaced: 6,
  end: 7,
};

function inOrder(events: readonly SessionEvent[]): SessionEvent[] {
  return events
    .map((event) => ({ event, moment: Date.parse(event.at) }))
    .sort((one, other) => one.moment - other.moment || RANKS[one.event.kind] - RANKS[other.event.kind])
    .map(({ event }) => event);
}

/** All that was told or left out at once. */
export function comparedIn({ sessions, commits, lines }: Injection): readonly { readonly shown: boolean }[] {
  return [...sessions, ...commits, ...lines];
}

/** Whether something came of a reminder. */
function hasSaved(event: SessionEvent): boolean {
  return event.kind === "reminded" && event.reminder.results.length > 0;
}

export function matchesFilter(event: SessionEvent, filter: EventFilter | undefined): boolean {
  switch (filter) {
    case undefined:
      return true;
    case "told":
      return "told" in event && event.told !== undefined && comparedIn(event.told).some(({ shown }) => shown);
    case "asked":
      return event.kind === "asked";
    case "captured":
      return (
        hasSaved(event) ||
        event.kind === "replaced" ||
        event.kind === "saved" ||
        event.kind === "claimed" ||
        (event.kind === "asked" && event.statements.length > 0)
      );
  }
}

/** Whether an event comes from a memory, or the memory from it. */
export function concerns(event: SessionEvent, memoryId: string): boolean {
  if (event.kind === "saved") return event.saved.memoryId === memoryId;
  if (event.kind === "claimed") return event.claim.memoryId === memoryId;
  if (event.kind === "replaced") return event.replaced.memoryId === memoryId || event.replaced.byMemoryId === memoryId;
  return event.kind === "asked" && event.statements.some((said) => said.memoryId === memoryId);
}

/** What is always told that the session was told, each once. */
export function alwaysTold({ injections }: Pick<SessionDetail, "injections">): InjectionLine[] {
  const told = injections.flatMap(({ lines }) => lines).filter((line) => line.constraint && line.shown);
  return [...new Map(told.map((line) => [line.memoryId, line])).values()];
}
