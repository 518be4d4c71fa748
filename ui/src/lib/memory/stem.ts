/**
 * The stem of a word as the daemon's full-text index has it: SQLite's `porter unicode61`, so that a
 * word counts as found here exactly where it counts there. `stems.json` holds both to it.
 */

type Rule = readonly [ending: string, instead: string];

const VOWEL = "aeiou";
/** The index doesn't stem words outside these lengths. */
const LEAST = 3;
const MOST = 63;

const STEP_2: readonly Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];
const STEP_3: readonly Rule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const STEP_4: readonly Rule[] = [
  "al",
  "ance",
  "ence",
  "er",
  "ic",
  "able",
  "ible",
  "ant",
  "ement",
  "ment",
  "ent",
  "ion",
  "ou",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
].map((ending) => [ending, ""]);

function isVowel(word: string, at: number): boolean {
  const letter = word[at] ?? "";
  if (letter === "y") return at > 0 && !isVowel(word, at - 1);
  return letter !== "" && VOWEL.includes(letter);
}

/** The number of vowel-consonant sequences: the "measure" of the algorithm. */
function measure(word: string): number {
  let count = 0;
  for (let at = 1; at < word.length; at += 1) if (isVowel(word, at - 1) && !isVowel(word, at)) count += 1;
  return count;
}

function hasVowel(word: string): boolean {
  return Array.from(word, (_, at) => isVowel(word, at)).some(Boolean);
}

/** Whether it ends in consonant-vowel-consonant, like "hop"; the last one not w, x or y. */
function isShort(word: string): boolean {
  const last = word.length - 1;
  return last >= 2 && !isVowel(word, last - 2) && isVowel(word, last - 1) && !isVowel(word, last) && !/[wxy]$/u.test(word);
}

/** Replace the matching ending, if the stem before it is long enough. */
function replaced(word: string, rules: readonly Rule[], least: number): string {
  const rule = rules
    .filter(([ending]) => word.endsWith(ending))
    .reduce<Rule | undefined>((longest, one) => (longest === undefined || one[0].length > longest[0].length ? one : longest), undefined);
  if (rule === undefined) return word;
  const start = word.slice(0, -rule[0].length);
  if (measure(start) < least || (rule[0] === "ion" && !/[st]$/u.test(start))) return word;
  return start + rule[1];
}

function withoutPlural(word: string): string {
  if (/(ss|i)es$/u.test(word)) return word.slice(0, -2);
  return /[^s]s$/u.test(word) ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const start = word.replace(/(ed|ing)$/u, "");
  if (start === word || !hasVowel(start)) return word;
  if (/(at|bl|iz)$/u.test(start)) return `${start}e`;
  const last = start.length - 1;
  if (start[last] === start[last - 1] && !isVowel(start, last) && !/[lsz]$/u.test(start)) return start.slice(0, -1);
  return measure(start) === 1 && isShort(start) ? `${start}e` : start;
}

function withoutE(word: string): string {
  if (!word.endsWith("e")) return word;
  const start = word.slice(0, -1);
  const size = measure(start);
  return size > 1 || (size === 1 && !isShort(start)) ? start : word;
}

/** The stem of a folded word. */
export function stem(word: string): string {
  if (word.length < LEAST || word.length > MOST) return word;
  let now = withoutPast(withoutPlural(word));
  if (now.endsWith("y") && hasVowel(now.slice(0, -1))) now = `${now.slice(0, -1)}i`;
  now = replaced(replaced(replaced(now, STEP_2, 1), STEP_3, 1), STEP_4, 2);
  now = withoutE(now);
  return now.endsWith("ll") && measure(now) > 1 ? now.slice(0, -1) : now;
}

const LATIN_MARKS = /[\u0300-\u036f]/gu;

/** The word in lower case, without accents. */
export function fold(word: string): string {
  return word.normalize("NFD").replace(LATIN_MARKS, "").normalize("NFC").toLowerCase();
}
