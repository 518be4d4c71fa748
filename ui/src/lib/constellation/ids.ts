/** The ids of a map's points: 16 bytes each, the UUID of the memory. */

import type { StarMap } from "./values";

const ID_BYTES = 16;
const DASHES = new Set([4, 6, 8, 10]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Ids = Pick<StarMap, "ids" | "count">;

/** The id of a point's memory. */
export function idAt({ ids }: Ids, index: number): string {
  let id = "";
  for (let byte = 0; byte < ID_BYTES; byte += 1) {
    if (DASHES.has(byte)) id += "-";
    id += (ids[index * ID_BYTES + byte] ?? 0).toString(16).padStart(2, "0");
  }
  return id;
}

/** A hash of 16 bytes. The last ones of a UUID are the random ones. */
function hash(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let byte = 0; byte < ID_BYTES; byte += 1) value = Math.imul(value ^ (bytes[start + byte] ?? 0), 0x01000193) ^ (value >>> 15);
  return value >>> 0;
}

function equal(one: Uint8Array, start: number, other: Uint8Array): boolean {
  for (let byte = 0; byte < ID_BYTES; byte += 1) {
    if (one[start + byte] !== other[byte]) return false;
  }
  return true;
}

function bytesOf(id: string): Uint8Array | undefined {
  if (!UUID.test(id)) return undefined;
  const digits = id.replaceAll("-", "");
  return Uint8Array.from({ length: ID_BYTES }, (_, byte) => Number.parseInt(digits.slice(2 * byte, 2 * byte + 2), 16));
}

/** Return a function that finds the point of a memory; without 100,000 texts, which take 10 MB. */
export function idLookup({ ids, count }: Ids): (id: string) => number | undefined {
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
  const slots = new Int32Array(size).fill(-1);
  const next = (slot: number): number => (slot + 1) & (size - 1);
  for (let index = 0; index < count; index += 1) {
    let slot = hash(ids, index * ID_BYTES) & (size - 1);
    while (slots[slot] !== -1) slot = next(slot);
    slots[slot] = index;
  }
  return (id) => {
    const sought = bytesOf(id);
    if (sought === undefined) return undefined;
    for (let slot = hash(sought, 0) & (size - 1); slots[slot] !== -1; slot = next(slot)) {
      const index = slots[slot] ?? 0;
      if (equal(ids, index * ID_BYTES, sought)) return index;
    }
    return undefined;
  };
}
