/** Finds settings and facts by their labels, keys, explanations and further words, best first. */

import type { SettingFact } from "$lib/api/client";
import { byStart, byStem, wordsOf, type Matcher } from "$lib/memory/highlight";
import { fold, stem } from "$lib/memory/stem";

import type { Entry } from "./entries";

/** The words of each part in their order, by how much they count. */
type Parts = readonly (readonly [weight: number, words: readonly string[]])[];

/** Words that a question has and no setting is about. */
const FILLERS = new Set(
  "a about all am an and are as at be by can do does for from get go has have how i if in into is it its long me my of on or our please set setting should so some than that the their them then there these they this to up us want was we what when where which who why will with you your".split(
    " ",
  ),
);
const LABEL = 6;
const MORE_WORDS = 5;
const KEY = 4;
const CHOICES = 3;
const HELP = 2;
const GROUP = 1;
const PHRASE = 3;
/** A question for a place or a name is for a fact rather than for a setting. */
const ASKS_FACT = /\b(?:where|which|what)\b/iu;
const ASKED = 8;
/** Words whose stem isn't that of their verb. */
const IRREGULAR: Readonly<Record<string, string>> = { forgot: "forget", forgotten: "forget", kept: "keep", sent: "send", told: "tell" };
/** A word that only starts like one of the query counts less. */
const START = 0.7;
const LEAST_START = 2;

/** What else people look for with a fact, by its id; settings have such words themselves. */
export const FACT_WORDS: Readonly<Partial<Record<string, string>>> = {
  workspace: "data folder directory path location export import move transfer migrate another computer",
  database: "data file path location",
  backups: "copies path location restore",
  log: "logs errors",
  start_at_login: "autostart startup boot run launch automatically",
};

function stems(text: string): readonly string[] {
  return wordsOf(text)
    .map(fold)
    .filter((word) => !FILLERS.has(word))
    .map(stemOf);
}

function stemOf(word: string): string {
  return stem(IRREGULAR[word] ?? word);
}

/** `capture.keepAt` as words: capture keep at keepat. */
function keyWords(key: string): string {
  return `${key} ${key.replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")}`.replaceAll(/[._<>]/gu, " ");
}

/** Stemming is most of the work of a search, so it is done once for an entry or fact. */
const known = new WeakMap<Entry | SettingFact, Parts>();

function once<Item extends Entry | SettingFact>(item: Item, partsOf: (item: Item) => Parts): Parts {
  const parts = known.get(item) ?? partsOf(item);
  known.set(item, parts);
  return parts;
}

function partsOfEntry({ label, help, key, group, row }: Entry): Parts {
  const choices = row.choices.map((choice) => `${choice.label} ${choice.value}`).join(" ");
  return [
    [LABEL, stems(label)],
    [MORE_WORDS, stems(row.words)],
    [KEY, stems(keyWords(key))],
    [CHOICES, stems(`${choices} ${row.unit}`)],
    [HELP, stems(help)],
    [GROUP, stems(group)],
  ];
}

function partsOfFact({ id, label, help, value, group }: SettingFact): Parts {
  return [
    [LABEL, stems(label)],
    [MORE_WORDS, stems(FACT_WORDS[id] ?? "")],
    [KEY, stems(keyWords(id.replaceAll("-", " ")))],
    [HELP, stems(`${help} ${value}`)],
    [GROUP, stems(group)],
  ];
}

/** Whether a query asks for a place or a name. */
export function asksFact(query: string): boolean {
  return ASKS_FACT.test(query);
}

/** The words of a query that tell something; fillers only if there is nothing else. */
export function tellingWords(query: string): readonly string[] {
  const words = wordsOf(query).map(fold);
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : words;
}

/** The words to look for. */
export function wantedWords(query: string): readonly string[] {
  return [...new Set(tellingWords(query).map(stemOf))];
}

/** How well a word is matched by the best part that has it; 0 if none has. */
function weigh(word: string, parts: Parts): number {
  let best = 0;
  for (const [weight, words] of parts) {
    if (weight <= best) continue;
    if (words.includes(word)) best = weight;
    else if (word.length >= LEAST_START && words.some((one) => one.startsWith(word))) best = Math.max(best, weight * START);
  }
  return best;
}

/** How much it counts that a part has the query as a phrase; 0 if none has. */
function weighPhrase(wanted: readonly string[], parts: Parts): number {
  if (wanted.length < 2) return 0;
  const phrase = ` ${wanted.join(" ")} `;
  return Math.max(0, ...parts.map(([weight, words]) => (` ${words.join(" ")} `.includes(phrase) ? weight * PHRASE : 0)));
}

export type Result = { readonly entry: Entry; readonly fact?: undefined } | { readonly entry?: undefined; readonly fact: SettingFact };

/**
 * The settings and facts that have the most words of the query, best first; a rare word counts more
 * than one that many have.
 */
export function search(query: string, entries: readonly Entry[], facts: readonly SettingFact[]): readonly Result[] {
  const wanted = wantedWords(query);
  if (wanted.length === 0) return [];
  const all: readonly { readonly item: Result; readonly parts: Parts }[] = [
    ...entries.map((entry) => ({ item: { entry }, parts: once(entry, partsOfEntry) })),
    ...facts.map((fact) => ({ item: { fact }, parts: once(fact, partsOfFact) })),
  ];
  const weights = all.map(({ parts }) => wanted.map((word) => weigh(word, parts)));
  const rarity = wanted.map((_, at) => {
    const having = weights.filter((own) => (own[at] ?? 0) > 0).length;
    return Math.log(1 + all.length / Math.max(1, having));
  });
  const scored = all.map(({ item, parts }, index) => {
    const own = weights[index] ?? [];
    const matched = own.filter((weight) => weight > 0).length;
    const bonus = weighPhrase(wanted, parts) + (item.fact !== undefined && asksFact(query) ? ASKED : 0);
    const points = own.reduce((sum, weight, at) => sum + weight * (rarity[at] ?? 0), bonus);
    return { item, matched, points };
  });
  const most = Math.max(...scored.map(({ matched }) => matched));
  return scored
    .filter(({ matched }) => matched > 0 && matched === most)
    .sort((one, other) => other.points - one.points)
    .map(({ item }) => item);
}

/** Marks what the search found. */
export function matcherOf(query: string): Matcher {
  const wanted = wantedWords(query);
  if (wanted.length === 0) return () => false;
  const isStem = byStem(wanted);
  const isStart = byStart(wanted.join(" "));
  return (word) => isStem(word) || isStart(word);
}
