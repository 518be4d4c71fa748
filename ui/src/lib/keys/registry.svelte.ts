/**
 * The one register of shortcuts. A component adds its own while it is shown; help reads them from
 * here. Letters stay silent while someone types, and can be switched off altogether.
 */

export interface Shortcut {
  /** Names the action for good, view first: `memories.pin`. */
  readonly id: string;
  /** None: the action is for the palette alone. Keys that do the same: `j`, `ArrowDown`, `Enter`, `Mod+Enter` (Ctrl, or ⌘ on a Mac). */
  readonly keys: readonly string[];
  readonly label: string;
  readonly group: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Whether it applies now; one that does not lets the key through. */
  readonly when?: () => boolean;
  /** Goes on while the key is held down. */
  readonly repeats?: boolean;
  /** Works while someone types. */
  readonly inInputs?: boolean;
}

const SWITCH = "intaglio.letters";
const TEXT_INPUTS = new Set(["", "text", "search", "email", "url", "number", "password", "tel"]);

/** Whether the element takes letters for itself. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && TEXT_INPUTS.has(target.type);
}

/** Whether Enter and Space already mean something on the element. */
function isOperated(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("button, a[href], summary, [role^=menuitem], input[type=checkbox]") !== null
  );
}

/** The name of a pressed key, as shortcuts are declared. */
export function nameOf(event: KeyboardEvent): string {
  // AltGr types characters such as # and / on many keyboards, and looks like Ctrl and Alt.
  if (event.getModifierState("AltGraph")) return event.key;
  const mod = event.ctrlKey || event.metaKey ? "Mod+" : "";
  const key = mod !== "" && isLetter(event.key) ? event.key.toLowerCase() : event.key;
  return mod + (event.altKey ? "Alt+" : "") + key;
}

function isLetter(key: string): boolean {
  return key.length === 1;
}

export class Keys {
  /** Newest last; the newest that applies wins. */
  #scopes = $state.raw<readonly (readonly Shortcut[])[]>([]);
  letters = $state(localStorage.getItem(SWITCH) !== "off");

  /** All that is declared now, for help. */
  get shortcuts(): readonly Shortcut[] {
    return this.#scopes.flat();
  }

  /** Add a scope; returns what removes it again. */
  add(shortcuts: readonly Shortcut[]): () => void {
    this.#scopes = [...this.#scopes, shortcuts];
    return () => {
      this.#scopes = this.#scopes.filter((scope) => scope !== shortcuts);
    };
  }

  setLetters(on: boolean): void {
    this.letters = on;
    localStorage.setItem(SWITCH, on ? "on" : "off");
  }

  /** Run what the key means here; leaves the event alone when it means nothing. */
  handle(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    const name = nameOf(event);
    if (isLetter(name) && !this.letters) return;
    const typing = takesText(event.target);
    if ((name === "Enter" || name === " ") && isOperated(event.target)) return;
    for (const scope of this.#scopes.toReversed()) {
      for (const shortcut of scope) {
        if (!shortcut.keys.includes(name)) continue;
        if (typing && shortcut.inInputs !== true) continue;
        if (shortcut.when?.() === false) continue;
        event.preventDefault();
        if (!event.repeat || shortcut.repeats === true) shortcut.run(event);
        return;
      }
    }
  }
}

export const keys = new Keys();

const NAMES: Record<string, string> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

/** A key as people read it. */
export function shownKey(key: string, mac = /Mac|iPhone|iPad/.test(navigator.userAgent)): string {
  const parts = key.split("+").map((part) => (part === "Mod" ? (mac ? "⌘" : "Ctrl") : (NAMES[part] ?? part)));
  return parts.join(mac ? "" : " ");
}
