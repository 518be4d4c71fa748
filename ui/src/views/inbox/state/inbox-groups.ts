/** Open items in groups, one for each session in which they were said. */

import type { InboxRow } from "$lib/api/client";
import type { GroupHeading } from "$lib/components/list/lines";
import { clock, day, millis } from "$lib/components/time/format";
import { harnessName } from "$lib/memory/evidence/harness-name";
import { projectName } from "$lib/memory/types";

type Grouped = Pick<InboxRow, "id" | "status" | "project" | "created" | "evidence" | "session_title">;

const WEEK_MS = 7 * 24 * 3_600_000;

/** Consecutive items of one session; the key is empty if they come from none. */
export interface SessionGroup<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
}

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

/** The groups of rows that stand together by session; none if nothing open comes from a session. */
export function groupsOf<Row extends Grouped>(rows: readonly Row[]): readonly SessionGroup<Row>[] {
  if (rows.some(({ status }) => status !== "open") || rows.every((row) => sessionOf(row) === "")) return [];
  const groups: { key: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const key = sessionOf(row);
    const last = groups.at(-1);
    if (last?.key === key) last.rows.push(row);
    else groups.push({ key, rows: [row] });
  }
  return groups;
}

/** Whether there is anything to collapse in a group. */
export const canCollapse = ({ key, rows }: SessionGroup<unknown>): boolean => key !== "" && rows.length > 1;

/** The rows that are listed: of a collapsed group the first one only, which stands for all. */
export function listedOf<Row>(groups: readonly SessionGroup<Row>[], isCollapsed: (key: string) => boolean): readonly Row[] {
  return groups.flatMap((group) => (canCollapse(group) && isCollapsed(group.key) ? group.rows.slice(0, 1) : group.rows));
}

function whenText(iso: string, now: number): string {
  return now - millis(iso) < WEEK_MS ? clock(iso, now) : day(iso);
}

function selectedOf(rows: readonly Grouped[], selected: Pick<ReadonlySet<string>, "has">): "all" | "some" | "none" {
  const count = rows.filter(({ id }) => selected.has(id)).length;
  return count === 0 ? "none" : count === rows.length ? "all" : "some";
}

/** The headings of the listed rows: title, harness, project and time of each session. */
export function headingsOf(
  groups: readonly SessionGroup<Grouped>[],
  now: number,
  isCollapsed: (key: string) => boolean = () => false,
  selected: Pick<ReadonlySet<string>, "has"> = new Set(),
): readonly GroupHeading[] {
  let next = 0;
  return groups.flatMap((group): readonly GroupHeading[] => {
    const { key, rows } = group;
    const [row] = rows;
    if (row === undefined) return [];
    const [first] = row.evidence;
    const at = next;
    const collapses = canCollapse(group);
    next += collapses && isCollapsed(key) ? 1 : rows.length;
    const place = row.project === null ? "for all projects" : `in ${projectName(row.project)}`;
    const source = `${harnessName(first?.harness ?? "")} ${place}, ${whenText(first?.said_at ?? row.created, now)}`;
    const count = rows.length.toLocaleString();
    if (key === "") return [{ at, key: `\n${String(at)}`, label: "Not from a session", title: row.project ?? undefined, count }];
    const title = row.session_title;
    return [
      {
        at,
        key: `${key}\n${String(at)}`,
        label: title === "" ? source : title,
        title: title === "" ? (row.project ?? undefined) : title,
        note: title === "" ? undefined : source,
        count,
        isCollapsed: collapses ? isCollapsed(key) : undefined,
        selected: selectedOf(rows, selected),
      },
    ];
  });
}

/** The ids of all items of the session that an item belongs to. */
export function ofSameSession(rows: readonly Grouped[], id: string | undefined): readonly string[] {
  const one = rows.find((row) => row.id === id);
  if (one === undefined || sessionOf(one) === "") return [];
  return rows.filter((row) => sessionOf(row) === sessionOf(one)).map((row) => row.id);
}
