import { describe, expect, it } from "vitest";

import type { InboxRow } from "$lib/api/client";

import { bySession, headingsOf, ofSameSession } from "./inbox-groups";

const NOW = Date.parse("2026-01-31T12:00:00Z");

type Item = Pick<InboxRow, "id" | "status" | "project" | "created" | "evidence">;

function item(id: string, session: string | null, status = "open"): Item {
  const said = {
    sentence: "We use pnpm.",
    by: "user" as const,
    harness: "claude-code",
    session_id: session,
    session: session === null ? null : "1",
    message_id: "m",
    start: 0,
    end: 5,
    said_at: "2026-01-31T09:00:00Z",
  };
  return { id, status, project: "/work/shop", created: "2026-01-31T10:00:00Z", evidence: [said] };
}

const ids = (rows: readonly { readonly id: string }[]): string => rows.map(({ id }) => id).join("");

describe("open items", () => {
  it("stand together by session, the latest session first", () => {
    expect(ids(bySession([item("a", "1"), item("b", "2"), item("c", "1"), item("d", "2")]))).toBe("acbd");
  });

  it("that come from no session stay where they are", () => {
    expect(ids(bySession([item("a", null), item("b", "1"), item("c", null), item("d", "1")]))).toBe("abdc");
  });

  it("that were decided keep the order of the decisions", () => {
    expect(ids(bySession([item("a", "1", "done"), item("b", "2", "done"), item("c", "1", "done")]))).toBe("abc");
  });

  it("have a heading for each session, with the number of its items", () => {
    const rows = bySession([item("a", "1"), item("b", "2"), item("c", "1")]);
    expect(headingsOf(rows, NOW).map(({ at, label, count }) => [at, label.split(",")[0], count])).toEqual([
      [0, "Claude Code in shop", "2"],
      [2, "Claude Code in shop", "1"],
    ]);
  });

  it("have no headings if none comes from a session", () => {
    expect(headingsOf([item("a", null), item("b", null)], NOW)).toEqual([]);
  });

  it("of one session can be selected together", () => {
    const rows = [item("a", "1"), item("b", "2"), item("c", "1"), item("d", null)];
    expect(ofSameSession(rows, "c")).toEqual(["a", "c"]);
    expect(ofSameSession(rows, "d")).toEqual([]);
  });
});
