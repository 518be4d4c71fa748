/** Reconstructs versions of a memory from its history, and restores them. */

import { api, type HistoryEvent, type MemoryRow, type ModifyRequest } from "$lib/api/client";
import { MOST_EVENTS } from "$lib/api/memories";
import { offerFieldsUndo } from "$lib/memory/memory-undo";
import { tagsOf } from "$lib/memory/rows";
import { connection } from "$lib/state/connection.svelte";

import { reportFailure } from "$lib/memory/memory-actions";

/** The fields of a version: everything the editor can change. */
export interface Fields {
  readonly content: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly pinned: boolean;
  readonly project: string | null;
  readonly visibility: string;
}

export interface Version {
  readonly fields: Fields;
  /** The fields that differ from the current version, as words such as "text". */
  readonly differs: readonly string[];
}

/** The version after an event, and before it if it is the oldest one. */
export interface Versions {
  readonly after: Version | undefined;
  readonly before: Version | undefined;
}

const WORDS: Readonly<Record<keyof Fields, string>> = {
  content: "text",
  type: "type",
  tags: "tags",
  importance: "importance",
  pinned: "pin",
  project: "project",
  visibility: "visibility",
};
const NAMES = Object.keys(WORDS) as (keyof Fields)[];

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fieldsOf(row: MemoryRow): Fields {
  return {
    content: row.content,
    type: row.type,
    tags: tagsOf(row.tags),
    importance: row.importance,
    pinned: Boolean(row.pinned),
    project: row.project,
    visibility: row.visibility,
  };
}

/** Compute the version before an event from the one after it. */
function before(event: HistoryEvent, after: Fields): Fields {
  if (event.event !== "updated") return after;
  const former = Object.entries(event.metadata ?? {}).flatMap(([name, pair]): [string, unknown][] =>
    NAMES.includes(name as keyof Fields) && Array.isArray(pair) && pair.length === 2 ? [[name, pair[0]]] : [],
  );
  return { ...after, ...Object.fromEntries(former), content: event.oldContent ?? after.content };
}

/**
 * By event the version that it left, where that differs from the memory as it is. Told backwards from
 * there, since the oldest events are deleted in time.
 */
export function versionsOf(row: MemoryRow, events: readonly HistoryEvent[]): ReadonlyMap<string, Versions> {
  const now = fieldsOf(row);
  const version = (fields: Fields): Version | undefined => {
    const differs = NAMES.filter((name) => !isSame(fields[name], now[name])).map((name) => WORDS[name]);
    return differs.length === 0 ? undefined : { fields, differs };
  };
  const found = new Map<string, Versions>();
  // The newest events may be missing, and with them the way back from what it is now.
  if (events.length >= MOST_EVENTS) return found;
  let fields = now;
  for (const event of events.toReversed()) {
    const after = fields;
    fields = before(event, after);
    const isFirst = event === events[0] && event.event === "updated";
    found.set(event.id, {
      // What was forgotten says nothing new: the version before is the same.
      after: event.event === "deleted" ? undefined : version(after),
      before: isFirst ? version(fields) : undefined,
    });
  }
  return found;
}

/** Restore an older version as a new one, with Undo. */
export async function restoreVersion(row: MemoryRow, { fields, differs }: Version): Promise<void> {
  const now = fieldsOf(row);
  const changed = NAMES.filter((name) => !isSame(fields[name], now[name]));
  const change: ModifyRequest = {
    reason: "restored an earlier version in the dashboard",
    ...Object.fromEntries(changed.map((name) => [name, fields[name]])),
  };
  try {
    const reply = await api.modify(row.id, { ...change, if_version: row.version });
    connection.announce({ topic: "memory", what: "updated", ids: [row.id] });
    offerFieldsUndo(row, change, reply, { text: "Earlier version restored.", hint: `Changed: ${differs.join(", ")}.` });
  } catch (thrown) {
    reportFailure("Couldn't restore this version", thrown);
  }
}
