/** Shortcuts and commands available everywhere: navigation, search, undo, appearance. */

import type { Shortcut } from "$lib/keys/registry.svelte";
import { navigate } from "$lib/state/internal-links";
import { router } from "$lib/state/router.svelte";
import { appearance, APPEARANCE_CHOICES, type AppearanceSetting } from "$lib/state/appearance.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { PARTS, VIEWS } from "./routes";

/** A dialog that opens over any view. */
export type Overlay = "palette" | "search" | "help";

const GLOBAL_GROUP = "General";
const SETTING_LABELS: Record<Exclude<AppearanceSetting, "sidebar">, string> = {
  theme: "Theme",
  contrast: "Contrast",
  motion: "Motion",
  density: "Density",
};
/** What people call it; looked for, one of these is what was meant. */
const SETTING_WORDS: Record<keyof typeof SETTING_LABELS, string> = {
  theme: "mode appearance colours colors",
  contrast: "accessibility appearance",
  motion: "animations accessibility appearance",
  density: "spacing row height size appearance",
};
const CHOICE_WORDS: Record<string, string> = { dark: "night", light: "day bright" };
const CHOICE_LABELS: Record<string, string> = { more: "high", less: "reduced" };

function hasDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

function appearanceShortcuts(): Shortcut[] {
  return (Object.keys(SETTING_LABELS) as (keyof typeof SETTING_LABELS)[]).flatMap((setting) =>
    APPEARANCE_CHOICES[setting].map((choice) => ({
      id: `look.${setting}.${choice}`,
      keys: [],
      label: `${SETTING_LABELS[setting]}: ${CHOICE_LABELS[choice] ?? choice}`,
      group: "Appearance",
      words: `${choice} ${CHOICE_WORDS[choice] ?? ""} ${SETTING_WORDS[setting]}`,
      weight: -1,
      when: () => appearance.of(setting) !== choice,
      run: () => {
        appearance.choose(setting, choice);
      },
    })),
  );
}

/** Move focus to the toasts; Esc returns it. */
function focusToasts(): void {
  document.querySelector<HTMLElement>("[data-toasts] button")?.focus();
}

/** The page of Help that the heading of what is shown links to. */
function helpHere(): string | undefined {
  return document.querySelector("main header a[href^='/help/']")?.getAttribute("href") ?? undefined;
}

/** `open` opens an overlay, `toggleSidebar` switches between wide and narrow. */
export function appShortcuts(open: (what: Overlay) => void, toggleSidebar: () => void): Shortcut[] {
  return [
    ...VIEWS.map(({ path, title, key, words }) => ({
      id: `go.${path.slice(1)}`,
      keys: [`g ${key}`],
      label: title,
      group: "Go to",
      ...(words === undefined ? {} : { words }),
      when: () => router.path !== path,
      run: () => {
        router.go(path);
      },
    })),
    ...PARTS.map(({ id, title, key, to, words }) => ({
      id: `go.${id}`,
      keys: key === undefined ? [] : [`g ${key}`],
      label: title,
      group: "Go to",
      words,
      run: () => {
        navigate(new URL(to, location.origin));
      },
    })),
    {
      id: "app.palette",
      keys: ["Mod+k"],
      label: "Search or run a command",
      group: GLOBAL_GROUP,
      inInputs: true,
      when: () => !hasDialog(),
      run: () => {
        open("palette");
      },
    },
    {
      id: "app.search",
      keys: ["/"],
      label: "Search everything",
      group: GLOBAL_GROUP,
      words: "find",
      run: () => {
        open("search");
      },
    },
    {
      id: "app.connect",
      keys: [],
      label: "Connect an agent",
      group: GLOBAL_GROUP,
      words: "setup install hooks harness",
      run: () => {
        navigate(new URL("/connections", location.origin));
      },
    },
    {
      id: "app.undo",
      keys: ["u"],
      label: "Undo",
      group: GLOBAL_GROUP,
      weight: 1,
      when: () => toasts.undoable !== undefined,
      run: () => {
        toasts.undo();
      },
    },
    {
      id: "app.notes",
      keys: ["F8"],
      label: "Focus notifications",
      group: GLOBAL_GROUP,
      inInputs: true,
      when: () => toasts.all.length > 0,
      run: focusToasts,
    },
    { id: "app.rail", keys: ["["], label: "Toggle sidebar", group: GLOBAL_GROUP, words: "hide show navigation menu", run: toggleSidebar },
    {
      id: "app.helpHere",
      keys: ["F1"],
      label: "Help for this page",
      group: GLOBAL_GROUP,
      words: "documentation",
      inInputs: true,
      when: () => !hasDialog(),
      run: () => {
        navigate(new URL(helpHere() ?? "/help", location.origin));
      },
    },
    {
      id: "app.help",
      keys: ["?"],
      label: "Keyboard shortcuts",
      group: GLOBAL_GROUP,
      words: "hotkeys bindings keys remap customize",
      run: () => {
        open("help");
      },
    },
    ...appearanceShortcuts(),
  ];
}
