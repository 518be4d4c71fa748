import { expect, test } from "vitest";

import { idAt, idLookup } from "./ids";
import { clusteredMap } from "./testing";

test("an id is written as a UUID", () => {
  const ids = Uint8Array.from({ length: 16 }, (_, byte) => 16 * byte + byte);
  expect(idAt({ ids, count: 1 }, 0)).toBe("00112233-4455-6677-8899-aabbccddeeff");
});

test("each point is found by its id, and nothing by another one", () => {
  const map = clusteredMap(3_000);
  const find = idLookup(map);
  for (const index of [0, 1, 1_500, 2_999]) expect(find(idAt(map, index))).toBe(index);
  expect(find("00112233-4455-6677-8899-aabbccddeeff")).toBeUndefined();
  expect(find("not an id")).toBeUndefined();
});

test("a map without points finds nothing", () => {
  expect(idLookup({ ids: new Uint8Array(), count: 0 })("00112233-4455-6677-8899-aabbccddeeff")).toBeUndefined();
});
