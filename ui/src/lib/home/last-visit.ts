/** When the user last looked at what is new, kept in this browser. */

import { readLocal, writeLocal } from "$lib/state/local-storage";

const STORAGE_KEY = "intaglio.visit";
/** A page that is opened again within this time continues the same visit. */
const SAME_VISIT_MS = 30 * 60_000;
const FIRST_VISIT_MS = 7 * 24 * 60 * 60_000;

interface Visit {
  /** The end of the visit before, in milliseconds. */
  readonly since: number;
  readonly seen: number;
}

export interface Since {
  readonly iso: string;
  /** There was no visit before: it is a week ago. */
  readonly isFirst: boolean;
}

function read(): Visit | undefined {
  const [since = NaN, seen = NaN] = (readLocal(STORAGE_KEY) ?? "").split(" ").map(Number);
  return Number.isNaN(since + seen) ? undefined : { since, seen };
}

/** Record that the user looks now; returns since when things are new. */
export function visit(now: number): Since {
  const last = read();
  const isSame = last !== undefined && now - last.seen < SAME_VISIT_MS;
  const since = last === undefined ? 0 : isSame ? last.since : last.seen;
  writeLocal(STORAGE_KEY, `${String(since)} ${String(now)}`);
  return { iso: new Date(since === 0 ? now - FIRST_VISIT_MS : since).toISOString(), isFirst: since === 0 };
}
