/** Finds settings and the facts beside them by label, key, help and search terms, in this browser. */

import SettingsIcon from "@lucide/svelte/icons/settings";

import { api, type SettingsReply } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { byStart } from "$lib/memory/highlight";
import { Resource } from "$lib/state/resource.svelte";

import { allOf, type Destination } from "./destination";
import { scoreOf, STRONG } from "./match";

/** Settings change seldom, and by other programs. */
const FRESH_MS = 30_000;
const SHOWN = 5;
/** A match in the help text alone. */
const IN_HELP = 0.6;
const LEAST = 30;

class SettingsList extends Resource<SettingsReply> {
  /** Load them, unless that was done lately. */
  prepare(): void {
    if (this.value === undefined || Date.now() - this.readAt > FRESH_MS) void this.load();
  }

  protected read(signal: AbortSignal): Promise<SettingsReply> {
    return api.settings(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "settings" ? 0 : undefined;
  }
}

export const settingsList = new SettingsList();

interface Searched {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly group: string;
  readonly words: string;
  readonly value: string;
}

function searched({ settings, facts }: SettingsReply): Searched[] {
  return [
    ...settings.map(({ key, label, help, group, words, secret, value, unit }) => {
      const given = typeof value === "boolean" ? (value ? "On" : "Off") : String(value);
      // As typed: `capture.keepAt` and its words.
      const names = `${words} ${key} ${key.replaceAll(/([a-z])([A-Z])/gu, "$1 $2")}`;
      return { key, label, help, group, words: names, value: secret ? "" : `${given} ${unit}`.trim() };
    }),
    // Facts have no search terms; what they say in few words is as good.
    ...facts.map(({ id, group, label, value, help }) => ({ key: id, label, help, group, words: `${id} ${value} ${help}`, value })),
  ];
}

interface FoundSettings {
  readonly items: readonly Destination[];
  /** How well the best one matches, 0 to 100. */
  readonly best: number;
}

export function findSettings(reply: SettingsReply | undefined, query: string): FoundSettings {
  if (reply === undefined || query.trim() === "") return { items: [], best: 0 };
  const scored = searched(reply)
    .map((one) => ({
      one,
      points: Math.max(scoreOf(query, one.label, one.group, one.words), IN_HELP * scoreOf(query, "", "", one.help)),
    }))
    .filter(({ points }) => points >= LEAST)
    .sort((one, other) => other.points - one.points);
  const [first] = scored;
  if (first === undefined) return { items: [], best: 0 };
  // Beside what was meant, what only contains the letters is noise.
  const kept = first.points >= STRONG ? scored.filter(({ points }) => points >= 0.6 * first.points) : scored;
  const items = kept.slice(0, SHOWN).map(({ one }): Destination => ({
    id: `setting:${one.key}`,
    label: one.label,
    text: one.help === "" ? undefined : one.help,
    detail: one.value === "" ? one.group : one.value,
    icon: SettingsIcon,
    kind: "Setting",
    matcher: byStart(query),
    path: `/settings/${encodeURIComponent(one.key)}`,
  }));
  const rest = kept.length > SHOWN ? [allOf("setting", "Show all settings", "/settings", query.trim())] : [];
  return { items: [...items, ...rest], best: first.points };
}
