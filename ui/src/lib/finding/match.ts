/** Fuzzy matching: prefixes and initials of words score higher than scattered letters. */

function normalize(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}#]+/u).filter((word) => word !== "");
}

/** Score letters that occur in order; 0 if one is missing, more the fewer gaps there are. */
function scattered(query: string, text: string): number {
  let at = text.indexOf(query.charAt(0));
  if (at < 0) return 0;
  let gaps = 0;
  for (const letter of query.slice(1)) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return 0;
    if (next > at + 1) gaps += 1;
    at = next;
  }
  // Letters scattered over the whole text match by chance.
  return gaps > query.length / 5 ? 0 : 20 - gaps;
}

/** From 0 (no match) to 100 (equal). */
export function score(query: string, text: string): number {
  const wanted = normalize(query).trim();
  const given = normalize(text);
  if (wanted === "") return 1;
  if (given === wanted) return 100;
  // Of equal matches, prefer the shorter text.
  const short = 1 / (1 + given.length);
  if (given.startsWith(wanted)) return 90 + short;
  const words = wordsOf(given);
  const starts = wordsOf(wanted);
  if (words.some((_, index) => words.slice(index).join(" ").startsWith(wanted))) return 80 + short;
  const initials = words.map((word) => word.charAt(0)).join("");
  const letters = wanted.replaceAll(" ", "");
  if (letters.length > 1 && initials.startsWith(letters)) return 75 + short;
  if (starts.length > 0 && starts.every((start) => words.some((word) => word.startsWith(start)))) return 65 + short;
  if (letters.length > 1 && initials.includes(letters)) return 55 + short;
  if (given.includes(wanted)) return 45 + short;
  return letters.length > 1 && words.some((word) => word.startsWith(letters.charAt(0))) ? scattered(letters, given) : 0;
}

/** What may stand before a name: "open memories", "go to status". */
const LEADING = /^(?:go to|go|open|show me|show|view|where is|where are|what is|find)\s+(?:(?:my|your|the|all)\s+)?(?=\S)/u;

/** Score search terms: a whole term counts nearly as much as a word of the name, the start of one less. */
function termScore(query: string, words: string): number {
  const given = wordsOf(normalize(words));
  const wanted = wordsOf(normalize(query));
  if (wanted.length === 0 || given.length === 0) return 0;
  const isWhole = wanted.every((word) => given.includes(word));
  if (isWhole) return 72;
  // The last word may still be typed.
  const isStart = wanted.every((word, at) => given.some((term) => (at < wanted.length - 1 ? term === word : term.startsWith(word))));
  return isStart ? Math.min(62, 38 + 6 * (wanted.at(-1) ?? "").length) : 0;
}

function plainScore(query: string, name: string, group: string, words: string): number {
  return Math.max(score(query, name), 0.8 * score(query, `${group} ${name}`), words === "" ? 0 : termScore(query, `${name} ${words}`));
}

/** The best score of the name, its group and its search terms; the name counts most. */
export function scoreOf(query: string, name: string, group: string, words = ""): number {
  const rest = normalize(query).trim().replace(LEADING, "");
  const whole = plainScore(query, name, group, words);
  return rest === normalize(query).trim() ? whole : Math.max(whole, 0.95 * plainScore(rest, name, group, words));
}

/** From here on a match is what was meant: a word of the name starts with the query, or a search term is it. */
export const STRONG = 60;
