/** One thing that a search offers, and the groups that they are listed in. */

import type Circle from "@lucide/svelte/icons/circle";

import { highlight, type Matcher } from "$lib/memory/highlight";

export interface Destination {
  /** Unique in a list: `memory:abc`. */
  readonly id: string;
  readonly label: string;
  /** The address in the dashboard. */
  readonly path: string;
  readonly icon?: typeof Circle | undefined;
  /** What the icon means. */
  readonly kind?: string | undefined;
  /** A passage that shows why it matches. */
  readonly text?: string | undefined;
  readonly detail?: string | undefined;
  /** When it changed last. */
  readonly time?: string | undefined;
  /** The words to mark in label and text. */
  readonly matcher?: Matcher | undefined;
  /** It leads to the page with all results of its group. */
  readonly isAll?: boolean;
}

export interface DestinationGroup {
  /** Unique in a list. */
  readonly id: string;
  readonly name: string;
  readonly items: readonly Destination[];
}

/** How many destinations there are, apart from those that lead to all of a group. */
export function countOf(groups: readonly DestinationGroup[]): number {
  return groups.reduce((sum, { items }) => sum + items.filter(({ isAll }) => isAll !== true).length, 0);
}

/** The first `most` destinations, in whole or shortened groups; those that lead to all of a group stay. */
export function limited<Group extends { readonly items: readonly { readonly isAll?: boolean }[] }>(
  groups: readonly Group[],
  most: number,
): Group[] {
  let left = most;
  const shown: Group[] = [];
  for (const group of groups) {
    if (left <= 0) break;
    const items = group.items.filter((item) => item.isAll === true || left-- > 0);
    shown.push({ ...group, items });
  }
  return shown;
}

/** The passage to show below a label; none if the label shows why it matches. */
export function passageOf(label: string, passage: string, matcher: Matcher): string | undefined {
  return passage === "" || highlight(label, matcher).some(({ isHit }) => isHit) ? undefined : passage;
}

/** The destination that leads to the page with all results of a search. */
export function allOf(group: string, label: string, path: string, query: string): Destination {
  const [base = "", given] = path.split("?");
  const parameters = new URLSearchParams(given);
  parameters.set("q", query);
  return { id: `all:${group}`, label, path: `${base}?${parameters.toString()}`, isAll: true };
}
