/** The selection as a JSON document. */

import type { MemoryRow } from "$lib/api/client";
import { idAt } from "$lib/constellation/ids";
import { FLAGS, type StarMap } from "$lib/constellation/values";
import { tagsOf } from "$lib/memory/rows";

import { isoDay } from "../time/days";
import { readMemory, type Reading } from "./memory-reader.svelte";

const MOST_AT_ONCE = 6;
const DECIMALS = 2;

interface Exported {
  readonly id: string;
  /** null: forgotten, or not to be read. */
  readonly content: string | null;
  readonly type: string | null;
  readonly project: string | null;
  readonly agent: string | null;
  readonly source: string | null;
  readonly entity: string | null;
  readonly tags: readonly string[];
  readonly importance: number | null;
  readonly pinned: boolean;
  readonly private: boolean;
  readonly created: string;
  readonly ended: string | null;
  readonly position: readonly number[];
  readonly position3d: readonly number[] | null;
}

const rounded = (values: Float32Array): number[] => Array.from(values, (value) => Number(value.toFixed(DECIMALS)));

/** A point with what is known of its memory. */
function exportedPoint(map: StarMap, index: number, reading: Reading): Exported {
  const row: MemoryRow | undefined = typeof reading === "object" ? reading : undefined;
  const has = (flag: number): boolean => ((map.flags[index] ?? 0) & flag) !== 0;
  const ended = map.ended[index] ?? 0;
  return {
    id: idAt(map, index),
    content: row?.content ?? null,
    type: row?.type ?? map.types[map.type[index] ?? 0] ?? null,
    project: map.projects[map.project[index] ?? 0] ?? null,
    agent: map.agents[map.agent[index] ?? 0] ?? null,
    source: map.origins[map.origin[index] ?? 0] ?? null,
    entity: map.entities[(map.entity[index] ?? 0) - 1]?.name ?? null,
    tags: tagsOf(row?.tags ?? null),
    importance: row?.importance ?? null,
    pinned: has(FLAGS.pinned),
    private: has(FLAGS.private),
    created: row?.created_at ?? isoDay(map.created[index] ?? 0),
    ended: ended === 0 ? null : isoDay(ended),
    position: rounded(map.xy.subarray(2 * index, 2 * index + 2)),
    position3d: map.xyz === undefined ? null : rounded(map.xyz.subarray(3 * index, 3 * index + 3)),
  };
}

/** Read the memories of these points, a few at a time, and return them as JSON. `onprogress` counts them. */
export async function selectionJson(
  map: StarMap,
  indexes: Iterable<number>,
  onprogress: (done: number) => void,
  signal?: AbortSignal,
): Promise<string> {
  const points = [...indexes];
  const memories: Exported[] = [];
  for (let start = 0; start < points.length; start += MOST_AT_ONCE) {
    const chunk = points.slice(start, start + MOST_AT_ONCE);
    memories.push(
      ...(await Promise.all(chunk.map(async (index) => exportedPoint(map, index, await readMemory(idAt(map, index), signal))))),
    );
    signal?.throwIfAborted();
    onprogress(memories.length);
  }
  return JSON.stringify({ count: memories.length, computed_at: map.computedAt, memories }, undefined, 2);
}
