/** What the daemon found, as destinations in groups. */

import BookOpen from "@lucide/svelte/icons/book-open";
import Folder from "@lucide/svelte/icons/folder";
import GitCommit from "@lucide/svelte/icons/git-commit-horizontal";
import Inbox from "@lucide/svelte/icons/inbox";
import MessagesSquare from "@lucide/svelte/icons/messages-square";

import type { FoundGroup, FoundItem, FoundKind } from "$lib/api/client";
import { entityPath, kindOf } from "$lib/entity/entity-types";
import { byWords } from "$lib/memory/highlight";
import { projectName, typeOf } from "$lib/memory/types";
import { projectPath } from "$lib/projects/projects.svelte";

import { allOf, type Destination, type DestinationGroup } from "./destination";

interface KindOfFound {
  readonly name: string;
  /** One of them; memories and entities have types instead. */
  readonly one: string;
  /** The label of the entry that leads to all of them, and where that is. */
  readonly all: string;
  readonly path: string;
  /** Whether to offer that even if everything is listed: the page finds weaker matches, too. */
  readonly always?: boolean;
  readonly icon: typeof BookOpen;
}

export const FOUND_KINDS: Readonly<Record<FoundKind, KindOfFound>> = {
  memory: { name: "Memories", one: "Memory", all: "Show all memories", path: "/memories", always: true, icon: BookOpen },
  entity: { name: "Entities", one: "Entity", all: "Show all entities", path: "/entities", icon: BookOpen },
  session: { name: "Sessions", one: "Session", all: "Show all sessions", path: "/sessions", icon: MessagesSquare },
  inbox: { name: "Inbox", one: "Inbox item", all: "Show all in the inbox", path: "/inbox", icon: Inbox },
  project: { name: "Projects", one: "Project", all: "Show all projects", path: "/projects", icon: Folder },
  commit: { name: "Commits", one: "Commit", all: "Show all commits", path: "/memories?commits=1", icon: GitCommit },
};

const SEPARATOR = " · ";
/** A day, which the time of an item says already. */
const DAY = /^\d{4}-\d{2}-\d{2}$/u;

/** The address of something that was found. */
export function pathOf({ kind, id, project, state }: FoundItem, query: string): string {
  const at = encodeURIComponent(id);
  switch (kind) {
    case "memory":
      return query === "" ? `/memories/${at}` : `/memories/${at}?${new URLSearchParams({ q: query }).toString()}`;
    case "entity":
      return entityPath(id);
    case "session":
      return `/sessions/${at}`;
    case "inbox":
      return state === "decided" ? `/inbox?status=done&item=${at}` : `/inbox?item=${at}`;
    case "project":
      return projectPath(id);
    case "commit":
      return `/memories?${new URLSearchParams({ commits: "1", q: id, ...(project === null ? {} : { project }) }).toString()}`;
  }
}

/** The value of a type by its label. */
function valueOf(label: string): string {
  return label.toLowerCase().replaceAll(" ", "_");
}

function looksOf(item: FoundItem): Pick<Destination, "icon" | "kind"> {
  if (item.kind === "memory") {
    const { icon, label } = typeOf(valueOf(item.detail));
    return { icon, kind: label };
  }
  if (item.kind === "entity") {
    const { icon, label } = kindOf(valueOf(item.detail));
    return { icon, kind: label };
  }
  return { icon: FOUND_KINDS[item.kind].icon, kind: FOUND_KINDS[item.kind].one };
}

/** The few words after the title: the project, and what is no type. */
function detailOf({ kind, detail, project }: FoundItem): string | undefined {
  const words = [
    ...(project === null || kind === "project" ? [] : [projectName(project)]),
    ...(kind === "memory" || kind === "entity" ? [] : detail.split(SEPARATOR)),
  ].filter((word) => word !== "" && !DAY.test(word));
  return words.length === 0 ? undefined : words.join(SEPARATOR);
}

function destinationOf(item: FoundItem, query: string): Destination {
  return {
    id: `${item.kind}:${item.id}`,
    label: item.title,
    text: item.text === "" || item.text === item.title ? undefined : item.text,
    detail: detailOf(item),
    time: item.at ?? undefined,
    matcher: byWords(item.words, query),
    path: pathOf(item, query),
    ...looksOf(item),
  };
}

/** The groups as the daemon orders them, each with an entry that leads to all of it. */
export function foundGroups(groups: readonly FoundGroup[], query: string): DestinationGroup[] {
  return groups
    .filter(({ items }) => items.length > 0)
    .map(({ kind, items, more }) => {
      const { name, all, path, always } = FOUND_KINDS[kind];
      const rest = more || always === true ? [allOf(kind, all, path, query)] : [];
      return { id: kind, name, items: [...items.map((item) => destinationOf(item, query)), ...rest] };
    });
}
