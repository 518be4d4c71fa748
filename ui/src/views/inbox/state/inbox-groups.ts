/** Open items in groups, one for each session in which they were said. */

import type { InboxRow } from "$lib/api/client";
import type { GroupHeading } from "$lib/components/list/lines";
import { clock } from "$lib/components/time/format";
import { harnessName } from "$lib/memory/evidence/harness-name";
import { projectName } from "$lib/memory/types";

type Grouped = Pick<InboxRow, "id" | "status" | "project" | "created" | "evidence">;

/** What the items of one session have in common; empty for an item that comes from none. */
export function sessionOf({ evidence: [first] }: Grouped): string {
  return first?.session_id === null || first === undefined ? "" : `${first.harness} ${first.session_id}`;
}

/** Put the items of a session together, where its first one is; what was decided stays in order. */
export function bySession<Row extends Grouped>(rows: readonly Row[]): readonly Row[] {
  if (rows.some(({ status }) => status !== "open")) return rows;
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    // An item without a session stays where it is.
    const key = sessionOf(row) || row.id;
    const others = groups.get(key);
    if (others === undefined) groups.set(key, [row]);
    else others.push(row);
  }
  return [...groups.values()].flat();
}

/** The headings of items in groups: harness, project and time of each session. */
export function headingsOf(rows: readonly Grouped[], now: number): readonly GroupHeading[] {
  const starts: { at: number; key: string; row: Grouped }[] = [];
  rows.forEach((row, at) => {
    const key = sessionOf(row);
    if (row.status === "open" && (at === 0 || starts.at(-1)?.key !== key)) starts.push({ at, key, row });
  });
  // Without a session there is nothing to put together.
  if (starts.every(({ key }) => key === "")) return [];
  return starts.map(({ at, key, row }, index) => {
    const count = (starts[index + 1]?.at ?? rows.length) - at;
    const [first] = row.evidence;
    const place = row.project === null ? "for all projects" : `in ${projectName(row.project)}`;
    const when = clock(first?.said_at ?? row.created, now);
    return {
      at,
      key: `${key}\n${String(at)}`,
      label: key === "" ? "Not from a session" : `${harnessName(first?.harness ?? "")} ${place}, ${when}`,
      title: row.project ?? undefined,
      count: count.toLocaleString(),
    };
  });
}

/** The ids of all items of the session that an item belongs to. */
export function ofSameSession(rows: readonly Grouped[], id: string | undefined): readonly string[] {
  const one = rows.find((row) => row.id === id);
  if (one === undefined || sessionOf(one) === "") return [];
  return rows.filter((row) => sessionOf(row) === sessionOf(one)).map((row) => row.id);
}
