/** Searches the sections: all words must occur, and headings rank highest. */

import type { Section } from "./model";

export interface SectionMatch {
  readonly section: Section;
  readonly page: string;
  /** The text around the first hit. */
  readonly excerpt: string;
}

const MOST = 40;
const BEFORE = 60;
const EXCERPT = 220;

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Matches words that start with this one. */
function wordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, "giu");
}

function hits(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

/** Score a section; 0 if it lacks one of the words. */
function score(patterns: readonly RegExp[], section: Section, page: string): number {
  let sum = 0;
  for (const pattern of patterns) {
    const inHeading = hits(pattern, section.heading);
    const inPage = hits(pattern, page);
    const inText = hits(pattern, section.text);
    if (inHeading + inPage + inText === 0) return 0;
    sum += (inHeading > 0 ? 12 : 0) + (inPage > 0 ? 5 : 0) + Math.log2(1 + inText);
  }
  return sum;
}

function excerptOf(text: string, patterns: readonly RegExp[]): string {
  const firsts = patterns.map((pattern) => text.search(pattern)).filter((at) => at >= 0);
  const first = firsts.length === 0 ? 0 : Math.min(...firsts);
  const from = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const piece = text.slice(from, from + EXCERPT);
  return `${from > 0 ? "… " : ""}${piece}${from + EXCERPT < text.length ? " …" : ""}`;
}

/** The sections that contain all words of the query, best first, equal ones in page order. */
export function searchSections(query: string, sections: readonly Section[], titles: ReadonlyMap<string, string>): readonly SectionMatch[] {
  const words = query.match(/[\p{L}\p{N}_.:/-]+/gu) ?? [];
  if (words.length === 0) return [];
  const patterns = words.slice(0, 8).map(wordPattern);
  return sections
    .map((section) => ({ section, page: titles.get(section.slug) ?? "" }))
    .map((one) => ({ ...one, points: score(patterns, one.section, one.page) }))
    .filter((one) => one.points > 0)
    .toSorted((one, other) => other.points - one.points)
    .slice(0, MOST)
    .map(({ section, page }) => ({ section, page, excerpt: excerptOf(section.text, patterns) }));
}

/** The path of a section. */
export function addressOf(section: Pick<Section, "slug" | "id">): string {
  return `/help/${section.slug}${section.id === "" ? "" : `#${section.id}`}`;
}
