/** What other settings change in what is told, line by line. */

import type { ContextPreview, PreviewLine } from "$lib/api/client";
import { groupName } from "$lib/home/line-groups";
import { plural } from "$lib/plural";

export type Mark = "added" | "removed" | "same";

type ToldSession = ContextPreview["sessions"][number];
type ToldCommit = ContextPreview["commits"][number];

/** What is told: a memory, a past session or a commit. */
export type ToldItem =
  | { readonly kind: "line"; readonly key: string; readonly heading: string; readonly line: PreviewLine }
  | { readonly kind: "session"; readonly key: string; readonly heading: string; readonly session: ToldSession }
  | { readonly kind: "commit"; readonly key: string; readonly heading: string; readonly commit: ToldCommit };

export interface MarkedItem {
  readonly item: ToldItem;
  readonly mark: Mark;
}

const SESSIONS = "Past sessions";
const COMMITS = "Commits";
const MEMORIES = "Memories";

/** What is told, in order. The same with other words is another item. */
export function toldItems({ sessions, commits, lines }: ContextPreview): readonly ToldItem[] {
  return [
    ...sessions
      .filter(({ shown }) => shown)
      .map((session): ToldItem => {
        const words = session.lines.map(({ text }) => text).join("\n");
        return { kind: "session", key: `session ${session.id} ${words}`, heading: SESSIONS, session };
      }),
    ...commits
      .filter(({ shown }) => shown)
      .map((commit): ToldItem => ({ kind: "commit", key: `commit ${commit.hash} ${commit.line}`, heading: COMMITS, commit })),
    ...lines.map((line): ToldItem => {
      const heading = line.group === null ? MEMORIES : groupName(line);
      return { kind: "line", key: `line ${line.memoryId} ${line.words}`, heading, line };
    }),
  ];
}

/** Both as one list: what is told then, in that order, with what is no longer told where it stood. */
export function marked(now: readonly ToldItem[], then: readonly ToldItem[]): readonly MarkedItem[] {
  const before = new Set(now.map(({ key }) => key));
  const after = new Set(then.map(({ key }) => key));
  const found: MarkedItem[] = [];
  let at = 0;
  const removed = (): void => {
    for (let item = now[at]; item !== undefined && !after.has(item.key); item = now[at]) {
      found.push({ item, mark: "removed" });
      at += 1;
    }
  };
  for (const item of then) {
    removed();
    found.push({ item, mark: before.has(item.key) ? "same" : "added" });
    if (now[at]?.key === item.key) at += 1;
  }
  removed();
  // What is told in another order may stand before the rest.
  for (const item of now.slice(at)) if (!after.has(item.key)) found.push({ item, mark: "removed" });
  return found;
}

/** What changes, as a sentence: "3 fewer lines, 210 fewer tokens." */
export function changeText(items: readonly MarkedItem[], tokens: number): string {
  const count = (wanted: Mark): number => items.filter(({ mark }) => mark === wanted).length;
  const [added, removed] = [count("added"), count("removed")];
  const parts = [
    ...(added > 0 ? [plural(added, "more line")] : []),
    ...(removed > 0 ? [plural(removed, "fewer line")] : []),
    ...(tokens === 0 ? [] : [plural(Math.abs(tokens), tokens > 0 ? "more token" : "fewer token")]),
  ];
  return parts.length === 0 ? "Nothing changes." : `${parts.join(", ")}.`;
}
