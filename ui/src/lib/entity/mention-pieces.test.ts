import { expect, test } from "vitest";

import { excerptPieces, mentionPieces } from "./mention-pieces";

const shown = (pieces: readonly { text: string; isHit: boolean }[]): string =>
  pieces.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join("");

test("offsets count code points, not UTF-16 units", () => {
  expect(shown(mentionPieces("🚀🚀 Postgres runs", [{ start: 3, end: 11 }]))).toBe("🚀🚀 [Postgres] runs");
});

test.each([
  [
    "Redis and Redis",
    [
      { start: 10, end: 15 },
      { start: 0, end: 5 },
    ],
    "[Redis] and [Redis]",
  ],
  [
    "Redis Cluster",
    [
      { start: 0, end: 13 },
      { start: 0, end: 5 },
    ],
    "[Redis Cluster]",
  ],
  [
    "Redis Cluster",
    [
      { start: 0, end: 8 },
      { start: 5, end: 13 },
    ],
    "[Redis Cluster]",
  ],
  ["Redis", [{ start: 2, end: 99 }], "Re[dis]"],
  ["Redis", [{ start: 9, end: 12 }], "Redis"],
  ["Redis", [], "Redis"],
  ["", [], ""],
])("%j is cut at its mentions", (text, spans, expected) => {
  expect(shown(mentionPieces(text, spans))).toBe(expected);
});

test("a long text is cut around its first mention", () => {
  const text = `${"a ".repeat(200)}Redis${" b".repeat(200)}`;
  const cut = shown(excerptPieces(text, [{ start: 400, end: 405 }], 100));
  expect(cut).toMatch(/^….*\[Redis\].*…$/u);
  expect(cut.length).toBeLessThan(110);
});

test("a long text that begins with its mention keeps its beginning", () => {
  expect(shown(excerptPieces(`Redis ${"b".repeat(200)}`, [{ start: 0, end: 5 }], 20))).toBe(`[Redis] ${"b".repeat(14)}…`);
  expect(shown(excerptPieces("c".repeat(50), [], 10))).toBe("cccccccccc…");
});
