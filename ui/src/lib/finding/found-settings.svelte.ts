/** Settings and the facts beside them as destinations, found in this browser as on the Settings page. */

import SettingsIcon from "@lucide/svelte/icons/settings";

import type { SettingsReply } from "$lib/api/client";
import { wordsOf } from "$lib/memory/highlight";
import { fold, stem } from "$lib/memory/stem";
import { entriesOf, shownValue, type Entry } from "$lib/settings/entries";
import { settingPath } from "$lib/settings/setting-path";
import { SettingsResource } from "$lib/settings/settings-resource.svelte";
import { asksFact, FACT_WORDS, matcherOf, search, tellingWords, type Result } from "$lib/settings/settings-search";

import { allOf, passageOf, type Destination } from "./destination";
import { scoreOf, STRONG } from "./match";

/** Settings change seldom, and by other programs. */
const FRESH_MS = 30_000;
const SHOWN = 3;
const LOOKED_AT = 20;
/** The least share of the query's words that one has. */
const LEAST_SHARE = 0.6;
/** Beside what was meant, what has the words somewhere is noise. */
const BESIDE_BEST = 0.6;
/** What a fact gains where the query asks for one: more than a label that begins with the query. */
const ASKED = 100;

class SettingsList extends SettingsResource {
  /** Load them, unless that was done lately. */
  prepare(): void {
    if (this.value === undefined || Date.now() - this.readAt > FRESH_MS) void this.load();
  }
}

/** The entries of a reply, the same objects for the same reply: what is known of them is kept. */
const entriesIn = new WeakMap<SettingsReply, readonly Entry[]>();

function entriesFor(reply: SettingsReply): readonly Entry[] {
  const entries = entriesIn.get(reply) ?? entriesOf(reply);
  entriesIn.set(reply, entries);
  return entries;
}

export const settingsList = new SettingsList();

interface Searched {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly group: string;
  /** What it is found by, besides label and group. */
  readonly words: string;
  readonly value: string;
  readonly isFact: boolean;
}

function searched({ entry, fact }: Result): Searched {
  // A fact is what it says in few words.
  if (fact !== undefined)
    return { ...fact, key: fact.id, words: `${fact.id} ${FACT_WORDS[fact.id] ?? ""} ${fact.value} ${fact.help}`, isFact: true };
  const { key, label, help, group, row, isByAgent } = entry;
  // As typed: `capture.keepAt` and its words.
  const words = `${row.words} ${key} ${key.replaceAll(/([a-z])([A-Z])/gu, "$1 $2")}`;
  return { key, label, help, group, words, value: row.secret || isByAgent ? "" : shownValue(row, row.value), isFact: false };
}

/** The share of the query's words that one has, or that its words begin with. */
function shareOf({ label, group, words, help }: Searched, wanted: readonly string[]): number {
  const given = wordsOf(`${label} ${group} ${words} ${help}`).map((word) => stem(fold(word)));
  return wanted.filter((word) => given.some((one) => one === stem(word) || one.startsWith(word))).length / wanted.length;
}

/** How well one matches, 0 to 100. */
function scoreFor(query: string, wanted: readonly string[], { label, group, words }: Searched): number {
  return Math.max(scoreOf(query, label, group, words), scoreOf(wanted.join(" "), label, group, words));
}

interface Scored {
  readonly one: Searched;
  readonly points: number;
}

interface FoundSettings {
  readonly items: readonly Destination[];
  /** How well the best one matches, 0 to 100. */
  readonly best: number;
}

export function findSettings(reply: SettingsReply | undefined, query: string): FoundSettings {
  const wanted = tellingWords(query);
  if (reply === undefined || wanted.length === 0) return { items: [], best: 0 };
  const found = search(query, entriesFor(reply), reply.facts)
    .slice(0, LOOKED_AT)
    .map(searched)
    .filter((one) => shareOf(one, wanted) >= LEAST_SHARE)
    .map((one) => ({ one, points: scoreFor(query, wanted, one) }));
  const best = Math.max(0, ...found.map(({ points }) => points));
  // One that is meant goes first, a fact if the query asks for one; others stay as the Settings page has them.
  const kept = best < STRONG ? found : found.filter(({ points }) => points >= BESIDE_BEST * best);
  const asked = asksFact(query) ? ASKED : 0;
  const strength = ({ one, points }: Scored): number => (points >= STRONG ? points + (one.isFact ? asked : 0) : 0);
  const sorted = kept.sort((one, other) => strength(other) - strength(one));
  const matcher = matcherOf(query);
  const items = sorted.slice(0, SHOWN).map(({ one }): Destination => ({
    id: `setting:${one.key}`,
    label: one.label,
    text: passageOf(one.label, one.help, matcher),
    detail: one.value === "" ? one.group : one.value,
    icon: SettingsIcon,
    kind: "Setting",
    matcher,
    path: settingPath(one.key),
  }));
  const rest = kept.length > SHOWN ? [allOf("setting", "Show all settings", "/settings", query.trim())] : [];
  return { items: [...items, ...rest], best };
}
