/** What the Inbox view needs to know of a kind of item. */

import type { Component } from "svelte";
import type Icon from "@lucide/svelte/icons/inbox";

import type { InboxRow, SuggestionEdit, UserAction } from "$lib/api/client";

/** A decision that can also be made on all selected items at once. */
export type BulkName = "apply" | "reject" | "keep" | "drop";

export interface DetailProps {
  readonly item: InboxRow;
}

/** A button and command that decides on an item, or opens the form to edit it first. */
export interface Choice {
  /** Of the shortcut; permanent, as users' own shortcuts are stored by it. */
  readonly id: string;
  readonly action: UserAction;
  readonly keys: readonly string[];
  readonly label: string;
  readonly icon?: typeof Icon;
  readonly isPrimary?: boolean;
  readonly title?: string;
  /** More words by which the command palette finds it. */
  readonly words?: string;
  readonly when?: (item: InboxRow) => boolean;
  /** The button's text, where it differs from the command's. */
  readonly button?: (item: InboxRow) => string;
  /** Sent with the decision. */
  readonly edit?: SuggestionEdit;
  /** Opens a form for the item itself or its newest memory; the decision follows on saving. */
  readonly edits?: "item" | "memory";
  readonly bulk?: BulkName;
}

/** How a decision is told: as a sentence right after it, in one or two words, and in a few words. */
export interface Outcome {
  readonly said: (content: string) => string;
  readonly short: string;
  readonly full: string;
}

export interface Kind {
  readonly kind: InboxRow["kind"];
  /** Its name in the filter of the list. */
  readonly plural: string;
  readonly icon: (item: InboxRow) => typeof Icon;
  /** What the item is: in the list, and as the heading above its details. */
  readonly label: (item: InboxRow) => string;
  readonly heading?: (item: Pick<InboxRow, "type" | "change">) => string;
  /** What the item is about besides its text, in the list: a word and another text. */
  readonly other?: (item: InboxRow) => readonly [word: string, text: string] | undefined;
  /** A remark in the list; as a badge, also beside the heading. */
  readonly remark?: (item: InboxRow) => string | undefined;
  readonly badge?: (item: InboxRow) => string | undefined;
  readonly choices: readonly Choice[];
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** Shows the item; without one, its text is shown. */
  readonly detail?: Component<DetailProps>;
  readonly showsType?: boolean;
  /** What is known of the item besides its type, project and times: name and value. */
  readonly facts?: (item: InboxRow) => readonly (readonly [name: string, value: string])[];
  /** The name of the time at which it was added: "Found" without one. */
  readonly added?: string;
  /** The heading of what the agent said. */
  readonly agentHeading?: string;
  /** The memory that a done item links to. */
  readonly memory?: (item: InboxRow) => string | null;
}
