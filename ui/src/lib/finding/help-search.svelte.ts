/** Finds sections of Help, in this browser; the text of its pages is loaded with the first search. */

import BookOpen from "@lucide/svelte/icons/book-open";

import type { Section } from "$lib/help/model";
import { addressOf, searchSections } from "$lib/help/search";
import { byStart } from "$lib/memory/highlight";

import { allOf, passageOf, type Destination } from "./destination";
import { score } from "./match";

const SHOWN = 3;
/** The title of a page counts a little less than the name of a command. */
const TITLE = 0.85;

interface Pages {
  readonly sections: readonly Section[];
  readonly titles: ReadonlyMap<string, string>;
}

export class HelpSearch {
  pages = $state.raw<Pages>();
  #isLoading = false;

  /** Load the pages; a failed load is tried again with the next search. */
  async prepare(): Promise<void> {
    if (this.#isLoading || this.pages !== undefined) return;
    this.#isLoading = true;
    try {
      const { loadSections, titles } = await import("$lib/help/library");
      this.pages = { sections: await loadSections(), titles };
    } catch {
      this.#isLoading = false;
    }
  }

  /** The best sections, and how well the title of the best page matches, 0 to 100. */
  find(query: string): { readonly items: readonly Destination[]; readonly best: number } {
    const typed = query.trim();
    if (this.pages === undefined || typed === "") return { items: [], best: 0 };
    const found = searchSections(typed, this.pages.sections, this.pages.titles);
    const matcher = byStart(typed);
    const items = found.slice(0, SHOWN).map(({ section, page, excerpt }): Destination => ({
      id: `help:${addressOf(section)}`,
      label: section.heading,
      text: passageOf(section.heading, excerpt, matcher),
      detail: section.id === "" ? undefined : page,
      icon: BookOpen,
      kind: "Help",
      matcher,
      path: addressOf(section),
    }));
    const best = Math.max(
      0,
      ...found.slice(0, SHOWN).map(({ section }) => (section.id === "" ? TITLE * score(typed, section.heading) : 0)),
    );
    const rest = found.length > SHOWN ? [allOf("help", "Show all of Help", "/help", typed)] : [];
    return { items: [...items, ...rest], best };
  }
}
