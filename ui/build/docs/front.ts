/** Which pages Help shows, in which groups and order. Titles come from the pages themselves. */

export interface Group {
  readonly name: string;
  /** Names of files without `.md`, or a folder with all of its pages by name. */
  readonly pages: readonly string[] | { readonly folder: string };
}

export const FRONT: readonly Group[] = [
  {
    name: "For users",
    pages: ["dashboard", "memories", "agents", "pausing", "status", "desk", "memory-lifecycle", "settings", "cli", "words"],
  },
  { name: "For developers", pages: ["development", "architecture", "storage", "api"] },
  { name: "Decisions", pages: { folder: "decisions" } },
];

/** Where a page that the list does not name goes: nothing that is written stays unseen. */
export const REST = "For developers";
