/** What can be done wherever one is: go to a view, search, undo, change how it looks. */

import type { Shortcut } from "$lib/keys/registry.svelte";
import { navigate } from "$lib/state/internal-links";
import { router } from "$lib/state/router.svelte";
import { appearance, APPEARANCE_CHOICES, type AppearanceSetting } from "$lib/state/appearance.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { helpPathOf, VIEWS } from "./routes";

/** What lies over the page. */
export type Overlay = "palette" | "search" | "help";

const EVERYWHERE = "Everywhere";
const LOOK_LABELS: Record<Exclude<AppearanceSetting, "sidebar">, string> = {
  theme: "Theme",
  contrast: "Contrast",
  motion: "Motion",
  density: "Density",
};
const CHOICE_LABELS: Record<string, string> = { system: "as the system", more: "high" };

function hasDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

function looks(): Shortcut[] {
  return (Object.keys(LOOK_LABELS) as (keyof typeof LOOK_LABELS)[]).flatMap((look) =>
    APPEARANCE_CHOICES[look].map((choice) => ({
      id: `look.${look}.${choice}`,
      keys: [],
      label: `${LOOK_LABELS[look]}: ${CHOICE_LABELS[choice] ?? choice}`,
      group: "Appearance",
      words: "appearance colour mode",
      when: () => appearance.of(look) !== choice,
      run: () => { appearance.choose(look, choice); },
    })),
  );
}

/** To the notes at the foot of the page, and back by Esc. */
function focusToasts(): void {
  document.querySelector<HTMLElement>("[data-toasts] button")?.focus();
}

function helpHere(): string | undefined {
  return helpPathOf(VIEWS.find((view) => view.path === router.path));
}

/** The actions of the frame; `open` puts something over the page, `rail` changes its width. */
export function appShortcuts(open: (what: Overlay) => void, toggleSidebar: () => void): Shortcut[] {
  return [
    ...VIEWS.map(({ path, title, key }) => ({
      id: `go.${path.slice(1)}`,
      keys: [`g ${key}`],
      label: title,
      group: "Go to",
      words: "go to open view page",
      when: () => router.path !== path,
      run: () => { router.go(path); },
    })),
    { id: "app.palette", keys: ["Mod+k"], label: "Find an action", group: EVERYWHERE, inInputs: true, when: () => !hasDialog(), run: () => { open("palette"); } },
    { id: "app.search", keys: ["/"], label: "Search memories", group: EVERYWHERE, run: () => { open("search"); } },
    { id: "app.connect", keys: [], label: "Connect an agent", group: EVERYWHERE, words: "setup install hooks harness", run: () => { navigate(new URL("/status#connect", location.origin)); } },
    { id: "app.undo", keys: ["u"], label: "Undo", group: EVERYWHERE, when: () => toasts.undoable !== undefined, run: () => { toasts.undo(); } },
    { id: "app.notes", keys: ["F8"], label: "To the notes", group: EVERYWHERE, inInputs: true, when: () => toasts.all.length > 0, run: focusToasts },
    { id: "app.rail", keys: ["["], label: "Rail wider or narrower", group: EVERYWHERE, words: "sidebar navigation", run: toggleSidebar },
    { id: "app.helpHere", keys: ["F1"], label: "Help about this page", group: EVERYWHERE, words: "documentation", inInputs: true, when: () => !hasDialog(), run: () => { navigate(new URL(helpHere() ?? "/help", location.origin)); } },
    { id: "app.help", keys: ["?"], label: "Keyboard help", group: EVERYWHERE, words: "shortcuts keys remap", run: () => { open("help"); } },
    ...looks(),
  ];
}
