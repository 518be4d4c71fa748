import { describe, expect, it } from "vitest";

import type { InboxRow } from "$lib/api/client";
import { day } from "$lib/components/time/format";

import { bySession, groupsOf, headingsOf, listedOf, ofSameSession } from "./inbox-groups";

const NOW = Date.parse("2026-01-31T12:00:00Z");

type Item = Pick<InboxRow, "id" | "status" | "project" | "created" | "evidence" | "session_title">;

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
  return { id, status, project: "/work/shop", created: "2026-01-31T10:00:00Z", evidence: [said], session_title: "" };
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
    expect(headingsOf(groupsOf(rows), NOW).map(({ at, label, count }) => [at, label.split(",")[0], count])).toEqual([
      [0, "Claude Code in shop", "2"],
      [2, "Claude Code in shop", "1"],
    ]);
  });

  it("have no headings if none comes from a session", () => {
    expect(headingsOf(groupsOf([item("a", null), item("b", null)]), NOW)).toEqual([]);
  });

  it("are named by the title of their session, if it is known", () => {
    const [heading] = headingsOf(groupsOf([{ ...item("a", "1"), session_title: "Set up the shop" }]), NOW + 30 * 86_400_000);
    expect([heading?.label, heading?.note]).toEqual(["Set up the shop", `Claude Code in shop, ${day("2026-01-31T09:00:00Z")}`]);
  });

  it("of a collapsed session are one row with the number of all, and others are shown whole", () => {
    const groups = groupsOf([item("a", "1"), item("b", "1"), item("c", "2"), item("d", null)]);
    const isCollapsed = (key: string): boolean => key.endsWith("1");
    expect(ids(listedOf(groups, isCollapsed))).toBe("acd");
    const headings = headingsOf(groups, NOW, isCollapsed, new Set(["b", "c"]));
    expect(headings.map((one) => [one.at, one.count, one.isCollapsed, one.selected])).toEqual([
      [0, "2", true, "some"],
      [1, "1", undefined, "all"],
      [2, "1", undefined, undefined],
    ]);
  });

  it("of one session can be selected together", () => {
    const rows = [item("a", "1"), item("b", "2"), item("c", "1"), item("d", null)];
    expect(ofSameSession(rows, "c")).toEqual(["a", "c"]);
    expect(ofSameSession(rows, "d")).toEqual([]);
  });
});
