/** The lines that a session is told, in groups. */

import type { PreviewLine } from "$lib/api/client";

export interface LineGroup {
  readonly name: string;
  readonly lines: readonly PreviewLine[];
}

/** Up to so many lines are all shown; of more, each group shows its first ones. */
const FEW = 16;
const FIRST = 5;

type GroupKey = NonNullable<PreviewLine["group"]>;

const NAMES: Readonly<Record<GroupKey, string>> = {
  pinned: "Pinned by you",
  rules: "Rules for this project",
  everywhere: "Rules for all projects",
  decided: "Decided",
  preferences: "Preferences",
  changed: "Changed lately",
  open: "Still open",
  learned: "Lessons learned",
  about: "About this project",
  general: "In general",
};

/** What the group of a line is called. */
export function groupName({ group }: Pick<PreviewLine, "group">): string {
  return NAMES[group ?? "general"];
}

/** The groups in the order in which they are told. */
export function groupsOf(lines: readonly PreviewLine[]): readonly LineGroup[] {
  const groups = new Map<string, PreviewLine[]>();
  for (const line of lines) {
    const name = groupName(line);
    const others = groups.get(name);
    if (others === undefined) groups.set(name, [line]);
    else others.push(line);
  }
  return [...groups].map(([name, grouped]) => ({ name, lines: grouped }));
}

/** What is shown of a group while it is folded; `kept` stays visible, wherever it stands. */
export function foldedLines({ lines }: LineGroup, total: number, kept: string | undefined): readonly PreviewLine[] {
  if (total <= FEW || lines.length <= FIRST + 1) return lines;
  return lines.filter(({ memoryId }, index) => index < FIRST || memoryId === kept);
}
