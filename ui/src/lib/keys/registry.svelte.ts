/**
 * The registry of shortcuts. A component adds its own while it is mounted; the shortcut help and the
 * command palette list them. Single letters are ignored while the user types, and can be reassigned
 * or switched off.
 */

import { readLocal, writeLocal } from "$lib/state/local-storage";

import { Bindings } from "./bindings.svelte";
import { isSubmit, KeyBuffer } from "./key-buffer";
import { isLetter, isModifier, isActivatable, keysConflict, keyName, takesText } from "./key-names";

export { shownKey, takesText } from "./key-names";

export interface Shortcut {
  /** A permanent id, view first: `memories.pin`. */
  readonly id: string;
  /**
   * Alternative keys, such as `j`, `ArrowDown`, `Mod+Enter` (Ctrl, or ⌘ on a Mac), or a sequence
   * such as `g m`. Empty: listed in the command palette only.
   */
  readonly keys: readonly string[];
  readonly label: string;
  /** Its section in the shortcut help. A group that starts with "Selected" acts on the selected item. */
  readonly group: string;
  /** Run from the palette, the event is a blank one. */
  readonly run: (event: KeyboardEvent) => void;
  /** Whether it applies now; otherwise the key is passed on. */
  readonly when?: () => boolean;
  /** Repeats while the key is held down. */
  readonly repeats?: boolean;
  /** Also works while the user types in a field. */
  readonly inInputs?: boolean;
  /** More search terms for the command palette: synonyms, and the questions that it answers. */
  readonly words?: string;
  /**
   * Where the command palette lists it before anything is typed: what is used most has the highest
   * in its group, what is used seldom a negative one, which puts it after all others. Default: 0.
   */
  readonly weight?: number;
}

const LETTERS_KEY = "intaglio.letters";
/** How long to wait for the next key of a sequence. */
const SEQUENCE_MS = 1_500;

function byName(shortcuts: readonly Shortcut[]): readonly Shortcut[] {
  const named = new Map<string, Shortcut>();
  for (const shortcut of shortcuts) if (!named.has(shortcut.id)) named.set(shortcut.id, shortcut);
  return [...named.values()];
}

export class Keys {
  /** Newest last; the newest shortcut that applies wins. */
  #scopes = $state.raw<readonly (readonly Shortcut[])[]>([]);
  letters = $state(readLocal(LETTERS_KEY) !== "off");
  /** The keys typed so far of a sequence. */
  pendingKeys = $state("");
  readonly bindings = new Bindings();
  #buffer: KeyBuffer | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** All registered shortcuts, newest scope first; one per id. */
  get shortcuts(): readonly Shortcut[] {
    return byName(this.#scopes.toReversed().flat());
  }

  /** The shortcuts that apply now. */
  applying(): readonly Shortcut[] {
    return byName(
      this.#scopes
        .toReversed()
        .flat()
        .filter((shortcut) => shortcut.when?.() !== false),
    );
  }

  /** The shortcuts with at least one key that no newer scope has taken. */
  get reachable(): readonly Shortcut[] {
    const taken = new Set<string>();
    const names = new Set<string>();
    for (const scope of this.#scopes.toReversed()) {
      const own = scope.filter((one) => this.keysOf(one).some((key) => !taken.has(key)));
      for (const one of own) names.add(one.id);
      for (const one of scope) for (const key of this.keysOf(one)) taken.add(key);
    }
    return this.shortcuts.filter((one) => names.has(one.id));
  }

  /** The keys of a shortcut: the user's own, or the defaults. */
  keysOf(shortcut: Shortcut): readonly string[] {
    return this.bindings.of(shortcut);
  }

  /** The other shortcuts whose keys conflict with these. */
  others(id: string, key: string): readonly Shortcut[] {
    return this.shortcuts.filter((one) => one.id !== id && this.keysOf(one).some((its) => keysConflict(its, key)));
  }

  /** Add a scope of shortcuts; returns a function that removes it. */
  add(shortcuts: readonly Shortcut[]): () => void {
    this.#scopes = [...this.#scopes, shortcuts];
    return () => {
      this.#scopes = this.#scopes.filter((scope) => scope !== shortcuts);
    };
  }

  setLetters(on: boolean): void {
    this.letters = on;
    writeLocal(LETTERS_KEY, on ? undefined : "off");
  }

  /**
   * Buffer keys for a component that is loading until it is released; keys still buffered for an
   * earlier one move to it. Esc cancels.
   */
  hold(oncancel?: () => void): KeyBuffer {
    const buffer = new KeyBuffer(this.#buffer?.strokes ?? [], () => {
      this.release(buffer);
      oncancel?.();
    });
    this.#buffer = buffer;
    this.#setPending("");
    return buffer;
  }

  release(buffer: KeyBuffer): void {
    if (this.#buffer === buffer) this.#buffer = undefined;
  }

  /**
   * Run the shortcut of the key; an event that matches none is left alone. While an overlay is open
   * (`isCovered`), only shortcuts that work while typing run.
   */
  handle(event: KeyboardEvent, isCovered = false): void {
    if (event.defaultPrevented || event.isComposing || isModifier(event)) return;
    const name = keyName(event);
    if (this.#buffer !== undefined) {
      this.#bufferKey(name, event, this.#buffer);
      return;
    }
    const typing = isCovered || takesText(event.target);
    const before = typing ? "" : this.pendingKeys;
    this.#setPending("");
    if (isLetter(name) && !this.letters) return;
    if ((name === "Enter" || name === " ") && isActivatable(event.target)) return;
    const pressed = before === "" ? name : `${before} ${name}`;
    const found = this.#find(pressed, typing);
    if (found !== undefined) {
      event.preventDefault();
      if (!event.repeat || found.repeats === true) found.run(event);
    } else if (!typing && !event.repeat && this.#isPrefix(pressed)) {
      event.preventDefault();
      this.#setPending(pressed);
    } else if (before !== "" && (isLetter(name) || name === "Escape")) {
      // The end of an unknown sequence; on its own the key would mean something else.
      event.preventDefault();
    }
  }

  #bufferKey(name: string, event: KeyboardEvent, buffer: KeyBuffer): void {
    if (!isSubmit(event) && (event.ctrlKey || event.metaKey || event.altKey)) {
      // Block the page's shortcuts, but not the browser's.
      if (this.#find(name, false) !== undefined) event.preventDefault();
      return;
    }
    event.preventDefault();
    if (!event.repeat) buffer.take(event);
  }

  #find(pressed: string, typing: boolean): Shortcut | undefined {
    for (const scope of this.#scopes.toReversed()) {
      for (const shortcut of scope) {
        if (typing && shortcut.inInputs !== true) continue;
        if (this.keysOf(shortcut).includes(pressed) && shortcut.when?.() !== false) return shortcut;
      }
    }
    // A key without a Shift binding falls back to the one without Shift.
    return pressed.includes("Shift+") ? this.#find(pressed.replace("Shift+", ""), typing) : undefined;
  }

  #isPrefix(pressed: string): boolean {
    return this.#scopes.some((scope) => scope.some((shortcut) => this.keysOf(shortcut).some((key) => key.startsWith(`${pressed} `))));
  }

  #setPending(pressed: string): void {
    clearTimeout(this.#timer);
    this.pendingKeys = pressed;
    if (pressed !== "")
      this.#timer = setTimeout(() => {
        this.pendingKeys = "";
      }, SEQUENCE_MS);
  }
}

export const keys = new Keys();
