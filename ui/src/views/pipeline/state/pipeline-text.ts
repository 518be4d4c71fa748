/** How stages, calls and proposals read. */

import CircleAlert from "@lucide/svelte/icons/circle-alert";
import CircleCheck from "@lucide/svelte/icons/circle-check";
import CirclePause from "@lucide/svelte/icons/circle-pause";
import CircleSlash from "@lucide/svelte/icons/circle-slash";
import Clock from "@lucide/svelte/icons/clock";
import Eye from "@lucide/svelte/icons/eye";
import Gauge from "@lucide/svelte/icons/gauge";
import Hand from "@lucide/svelte/icons/hand";
import LoaderCircle from "@lucide/svelte/icons/loader-circle";
import Moon from "@lucide/svelte/icons/moon";

import type { ProposalRow, StageList, StageRow } from "$lib/api/pipeline";

import { dollars } from "$lib/models/usage-text";

type Tone = "plain" | "accent" | "ok" | "info" | "warn" | "danger";

interface Look {
  readonly label: string;
  readonly tone: Tone;
  readonly icon: typeof Clock;
}

const STATES: Readonly<Record<StageRow["state"], Look>> = {
  off: { label: "Off", tone: "plain", icon: CircleSlash },
  waiting_for_model: { label: "Waiting for a model", tone: "warn", icon: Clock },
  paused: { label: "Paused", tone: "info", icon: CirclePause },
  resting: { label: "Resting", tone: "warn", icon: Moon },
  capped: { label: "At the limit", tone: "warn", icon: Gauge },
  working: { label: "Working", tone: "accent", icon: LoaderCircle },
  failing: { label: "Failing", tone: "danger", icon: CircleAlert },
  idle: { label: "Idle", tone: "ok", icon: CircleCheck },
};

export function stateLook(state: StageRow["state"]): Look {
  return STATES[state];
}

export const RESULTS: Readonly<Record<ProposalRow["result"], Look>> = {
  applied: { label: "Applied", tone: "ok", icon: CircleCheck },
  blocked: { label: "Blocked", tone: "warn", icon: Hand },
  shadow: { label: "Tried out", tone: "info", icon: Eye },
  skipped: { label: "Skipped", tone: "plain", icon: CircleSlash },
};

const MODES: Readonly<Record<StageList["mode"], string>> = {
  disabled: "No language model reads memories.",
  frozen: "Memories are read-only: nothing is read or changed.",
  shadow: "Trying out: memories stay as they are, and proposals are only listed.",
  "controlled-write": "Changes that are sure enough are written; others wait in the inbox.",
};

export function modeText(mode: StageList["mode"]): string {
  return MODES[mode];
}

/** The models that are asked; both where whole sessions have their own. */
export function modelText({ models }: Pick<StageList, "models">): string {
  return [...new Set(models.map(({ title }) => title))].join("; for whole sessions: ");
}

export function money(usd: number | null): string {
  return usd === null ? "unknown" : dollars(usd);
}

export function duration(ms: number): string {
  return ms < 1_000 ? `${ms.toLocaleString()} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  answered: "Answered",
  unreadable: "Unreadable",
  closed: "Stopped",
  refused: "Refused",
  rate_limited: "Rate limited",
  resting: "Resting",
  timeout: "Timed out",
  too_long: "Too long",
  unreachable: "Unreachable",
  unusable: "Unusable",
};

export function outcomeText(outcome: string): string {
  return OUTCOMES[outcome] ?? outcome;
}

const SKIPPED: Readonly<Record<string, string>> = {
  covered: "A memory says it already.",
  empty: "It says nothing.",
  forgotten: "You forgot it before.",
  inbox_full: "The inbox is full.",
  known: "It is known already.",
  low_confidence: "The model isn't sure enough.",
  malformed: "The model's reply couldn't be used.",
  no_decision: "The model didn't decide.",
  rejected_before: "You rejected it before.",
  same_as_other_fact: "Another fact says the same.",
  same_as_source: "The memory itself says it.",
  target_changed: "The memory changed meanwhile.",
};

const BLOCKED: Readonly<Record<string, string>> = {
  contradiction: "It may contradict a memory.",
  low_confidence: "The model isn't sure enough.",
  needs_user: "A rule or preference needs your own words.",
  not_allowed: "Models may not change memories without asking.",
  of_user: "The memory is your own, or pinned.",
};

/** Why a proposal changed nothing, or waits; empty if it was applied. */
export function whyNot({ skipped, blocked }: Pick<ProposalRow, "skipped" | "blocked">): string {
  const [why, texts] = blocked === "" ? [skipped, SKIPPED] : [blocked, BLOCKED];
  return why === "" ? "" : (texts[why] ?? why.replaceAll("_", " "));
}

/** What the model wants, as the heading of the proposal's right side. */
export function wantedText({ action, result }: Pick<ProposalRow, "action" | "result">): string {
  const isDone = result === "applied";
  switch (action) {
    case "add":
      return isDone ? "New memory" : "Would be a new memory";
    case "update":
      return isDone ? "Changed memory" : "Would change this memory";
    case "delete":
      return isDone ? "Forgotten memory" : "Would forget this memory";
    default:
      return "No change";
  }
}

/** The names and versions of prompts: "extract 3, decide 2". */
export function promptText(prompts: StageRow["prompts"]): string {
  return prompts.map(({ name, version }) => `${name.replaceAll("_", " ")} ${version.toLocaleString()}`).join(", ");
}
