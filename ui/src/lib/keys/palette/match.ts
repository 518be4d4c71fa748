/** How well some words meet what someone types: starts of words and initials count more than letters. */

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}#]+/u).filter((word) => word !== "");
}

/** Letters in a row, each later in the text; 0 where one is missing, more the fewer gaps there are. */
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
  // Letters from all over the text are chance.
  return gaps >= query.length / 2 ? 0 : 20 - gaps;
}

/** 0: not at all. 100: the same. */
export function score(query: string, text: string): number {
  const asked = plain(query).trim();
  const given = plain(text);
  if (asked === "") return 1;
  if (given === asked) return 100;
  // Among equals, the shorter one is meant.
  const short = 1 / (1 + given.length);
  if (given.startsWith(asked)) return 90 + short;
  const words = wordsOf(given);
  const starts = wordsOf(asked);
  if (words.some((_, index) => words.slice(index).join(" ").startsWith(asked))) return 80 + short;
  const initials = words.map((word) => word.charAt(0)).join("");
  const letters = asked.replaceAll(" ", "");
  if (letters.length > 1 && initials.startsWith(letters)) return 75 + short;
  if (starts.length > 0 && starts.every((start) => words.some((word) => word.startsWith(start)))) return 65 + short;
  if (letters.length > 1 && initials.includes(letters)) return 55 + short;
  if (given.includes(asked)) return 45 + short;
  return letters.length > 1 && words.some((word) => word.startsWith(letters.charAt(0))) ? scattered(letters, given) : 0;
}

/** The best of a name and what else is known; the name counts most. */
export function scoreOf(query: string, name: string, group: string, words = ""): number {
  return Math.max(
    score(query, name),
    0.8 * score(query, `${group} ${name}`),
    0.6 * score(query, words),
  );
}
