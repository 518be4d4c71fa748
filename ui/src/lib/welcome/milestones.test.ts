import { expect, test } from "vitest";

import type { HarnessRow, SessionRow } from "$lib/api/client";

import { milestonesOf } from "./milestones";

const ROW = { name: "My Agent", exists: true, connection: "not", leftOver: false, lastSeen: null } as HarnessRow;
const OTHER = { ...ROW, name: "Other Agent" };
const CONNECTED = { ...ROW, connection: "connected" } satisfies HarnessRow;
const SEEN = { ...CONNECTED, lastSeen: "2026-03-04T11:00:00Z" };
const session = (told: number): SessionRow => ({ told }) as SessionRow;

test.each([
  [[ROW], [], 0, []],
  [[CONNECTED], [], 0, ["isConnected"]],
  [[SEEN], [session(0)], 0, ["isConnected", "isStarted"]],
  [[CONNECTED], [], 1, ["isConnected", "isKept"]],
  [[SEEN], [session(0), session(2)], 2, ["isConnected", "isStarted", "isKept", "isTold"]],
] satisfies [HarnessRow[], SessionRow[], number, string[]][])(
  "%o with %o and %d memories has reached %o",
  (rows, sessions, memories, reached) => {
    const milestones = Object.entries(milestonesOf(rows, sessions, memories));
    expect(milestones.flatMap(([name, value]) => (value === true ? [name] : []))).toEqual(reached);
  },
);

test("sessions are to be started in the connected agents, else in those that are here", () => {
  expect(milestonesOf([CONNECTED, OTHER], [], 0).agents).toBe("My Agent");
  expect(milestonesOf([ROW, OTHER], [], 0).agents).toBe("My Agent or Other Agent");
  expect(milestonesOf([], [], 0).agents).toBe("your agent");
});
