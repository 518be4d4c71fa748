/** The workspace's files in groups, and what each one is for. */

import type { WorkspaceFile } from "$lib/api/workspace";

export interface FileGroup {
  readonly title: string;
  readonly help: string;
  readonly files: readonly WorkspaceFile[];
}

const PURPOSES: Readonly<Record<string, string>> = {
  "AGENTS.md": "What every agent should follow: how you work, what to use and what to avoid.",
  "SOUL.md": "How your agents should behave and sound.",
  "IDENTITY.md": "The agent's name and character.",
  "USER.md": "Who you are, and what your agents should know about you.",
  "MEMORY.md": "What your agents should have in mind in every session.",
};
const AGENT_FILE = /^agents\/[^/]+\//u;

/** What a file directly in the workspace is for; "" for any other. */
export function purposeOf(name: string): string {
  return PURPOSES[name] ?? "";
}

/** Whether the file can be edited on the page: only those directly in the workspace can. */
export function isEditable(name: string): boolean {
  return !name.includes("/");
}

/** The groups that have files, and always the notes, which say how to begin. */
export function fileGroups(files: readonly WorkspaceFile[]): readonly FileGroup[] {
  const own = files.filter(({ name }) => AGENT_FILE.test(name));
  return [
    {
      title: "Instructions",
      help: "Written to the files of your agents, in this order.",
      files: files.filter(({ name }) => isEditable(name) && name.endsWith(".md")),
    },
    {
      title: "Notes",
      help: "Markdown files in memory/. Each bullet and paragraph is read as a memory.",
      files: files.filter(({ name }) => name.startsWith("memory/")),
    },
    ...(own.length > 0
      ? [{ title: "Files of single agents", help: "Used for that agent in place of the instructions above.", files: own }]
      : []),
  ];
}
