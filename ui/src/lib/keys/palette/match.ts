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
  return gaps >= query.length / 2 ? 0 : 20 - gaps;
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

/** The best score of the name, its group and its search terms; the name counts most. */
export function scoreOf(query: string, name: string, group: string, words = ""): number {
  return Math.max(score(query, name), 0.8 * score(query, `${group} ${name}`), 0.6 * score(query, words));
}
