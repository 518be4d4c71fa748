/** The kinds of inbox items. One without an entry of its own is shown with its text and actions. */

import Check from "@lucide/svelte/icons/check";
import Inbox from "@lucide/svelte/icons/inbox";
import Trash from "@lucide/svelte/icons/trash-2";

import type { InboxRow, UserAction } from "$lib/api/client";

import { AGENT_CHANGES } from "./agent-changes";
import { DECLARED } from "./declared";
import { CONTRADICTION } from "./contradiction";
import type { BulkName, Kind } from "./kind";
import { ONE_OFF_TASK } from "./one-off-task";
import { POSSIBLE_MERGE } from "./possible-merge";
import { PROPOSED_CHANGE } from "./proposed-change";
import { STALE } from "./stale";
import { SUGGESTION } from "./suggestion";
import { TAKEN_BACK } from "./taken-back";
import { quoted } from "./texts";
import { WIDER_SCOPE } from "./wider-scope";
import { WORKSPACE_CONFLICT } from "./workspace-conflict";

const OWN: readonly Kind[] = [
  SUGGESTION,
  CONTRADICTION,
  POSSIBLE_MERGE,
  WIDER_SCOPE,
  PROPOSED_CHANGE,
  AGENT_CHANGES,
  STALE,
  TAKEN_BACK,
  ONE_OFF_TASK,
  WORKSPACE_CONFLICT,
];

interface Declared extends Pick<Kind, "kind" | "plural"> {
  readonly label: string;
  readonly actions: readonly { readonly action: UserAction; readonly label: string; readonly report: string }[];
}

export const KINDS: readonly Kind[] = [...OWN, ...DECLARED.filter(({ kind }) => !OWN.some((own) => own.kind === kind)).map(plain)];

/** The kind of an item. */
export function kindOf({ kind }: Pick<InboxRow, "kind">): Kind {
  return KINDS.find((one) => one.kind === kind) ?? unknown(kind);
}

/** A kind with nothing but what its package declares. */
export function plain({ kind, label, plural, actions }: Declared): Kind {
  return {
    kind,
    plural,
    icon: () => Inbox,
    label: () => label,
    choices: actions.map((each) => ({ id: `${kind}.${each.action}`, action: each.action, keys: [], label: each.label })),
    outcomes: Object.fromEntries(
      actions.map(({ action, report }) => [action, { said: (content) => `${report}: ${quoted(content)}`, short: report, full: report }]),
    ),
  };
}

/** A kind that only a newer daemon knows. */
function unknown(kind: InboxRow["kind"]): Kind {
  const label = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`.replaceAll("_", " ");
  return plain({ kind, label, plural: label, actions: [] });
}

/** A decision on all selected items whose kinds take it. */
export interface Bulk {
  readonly name: BulkName;
  readonly label: string;
  readonly verb: string;
  readonly key: string;
  /** Both decisions of a pair are offered as soon as an item takes one of them. */
  readonly pair: "change" | "memory";
  readonly icon?: typeof Inbox;
}

export const BULKS: readonly Bulk[] = [
  { name: "apply", label: "Apply", verb: "Applied", key: "a", pair: "change" },
  { name: "reject", label: "Keep as it is", verb: "Rejected", key: "r", pair: "change" },
  { name: "keep", label: "Keep", verb: "Kept", key: "y", pair: "memory", icon: Check },
  { name: "drop", label: "Drop", verb: "Dropped", key: "d", pair: "memory", icon: Trash },
];

/** The action by which items of a kind take a bulk decision; undefined for those that don't. */
export function bulkAction(kind: Kind, bulk: BulkName): UserAction | undefined {
  return kind.choices.find((choice) => choice.bulk === bulk)?.action;
}

/** The bulk decisions to offer for items. */
export function bulksFor(rows: readonly InboxRow[]): readonly Bulk[] {
  const takes = ({ name }: Bulk): boolean => rows.some((row) => row.status === "open" && bulkAction(kindOf(row), name) !== undefined);
  return BULKS.filter((bulk) => BULKS.some((other) => other.pair === bulk.pair && takes(other)));
}
