/** How a session is named in lists. */

import type { SessionRow } from "$lib/api/client";

function plain(text: string): string {
  return text
    .replace(/(?:…|\.\.\.)$/u, "")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase();
}

/** The beginning of the first prompt; empty if the title says it, as titles are often its first words. */
export function firstPromptOf({ title, firstPrompt }: Pick<SessionRow, "title" | "firstPrompt">): string {
  const [given, prompt] = [plain(title), plain(firstPrompt)];
  return given !== "" && prompt.startsWith(given) ? "" : firstPrompt;
}
