/**
 * The one register of actions and their keys. A component adds its own while it is shown; help and
 * the palette read them from here. Letters stay silent while someone types, and can be given to
 * other actions or switched off altogether.
 */

import { readLocal, writeLocal } from "$lib/state/local-storage";

import { Bindings } from "./bindings.svelte";
import { KeyBuffer } from "./key-buffer";
import { isLetter, isModifier, isOperated, keysConflict, keyName, takesText } from "./key-names";

export { shownKey, takesText } from "./key-names";

export interface Shortcut {
  /** Names the action for good, view first: `memories.pin`. */
  readonly id: string;
  /**
   * None: the action is for the palette alone. Keys that do the same: `j`, `ArrowDown`,
   * `Mod+Enter` (Ctrl, or ⌘ on a Mac), `Shift+ArrowDown`; one after the other: `g m`.
   */
  readonly keys: readonly string[];
  readonly label: string;
  /** Where it stands in help. A group that begins with "One" acts on what is open or selected. */
  readonly group: string;
  /** From the palette, the event is an empty one. */
  readonly run: (event: KeyboardEvent) => void;
  /** Whether it applies now; one that does not lets the key through. */
  readonly when?: () => boolean;
  /** Goes on while the key is held down. */
  readonly repeats?: boolean;
  /** Works while someone types. */
  readonly inInputs?: boolean;
  /** Other words by which the palette finds it. */
  readonly words?: string;
}

const SWITCH = "intaglio.letters";
/** How long the next key of a sequence may take. */
const SEQUENCE_MS = 1_500;

function byName(shortcuts: readonly Shortcut[]): readonly Shortcut[] {
  const named = new Map<string, Shortcut>();
  for (const shortcut of shortcuts) if (!named.has(shortcut.id)) named.set(shortcut.id, shortcut);
  return [...named.values()];
}

export class Keys {
  /** Newest last; the newest that applies wins. */
  #scopes = $state.raw<readonly (readonly Shortcut[])[]>([]);
  letters = $state(readLocal(SWITCH) !== "off");
  /** The keys so far of a sequence that is being typed. */
  pendingKeys = $state("");
  readonly bindings = new Bindings();
  #buffer: KeyBuffer | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** All that is declared now, the newest scope first; of one name, the newest. */
  get shortcuts(): readonly Shortcut[] {
    return byName(this.#scopes.toReversed().flat());
  }

  /** What can be done now. */
  applying(): readonly Shortcut[] {
    return byName(this.#scopes.toReversed().flat().filter((shortcut) => shortcut.when?.() !== false));
  }

  /** Without what a newer scope takes all the keys of: on a page with a search of its own, `/` is that one. */
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

  /** The keys of an action: the user's, or those it comes with. */
  keysOf(shortcut: Shortcut): readonly string[] {
    return this.bindings.of(shortcut);
  }

  /** The other actions declared now that have that key, or begin with it, or with which it begins. */
  others(id: string, key: string): readonly Shortcut[] {
    return this.shortcuts.filter((one) => one.id !== id && this.keysOf(one).some((its) => keysConflict(its, key)));
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
    writeLocal(SWITCH, on ? undefined : "off");
  }

  /**
   * From now on the keys are for a part that is on its way, until it is released; what the part before
   * it was given and did not take goes over to it. Esc leaves it.
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
   * Run what the key means here; leaves the event alone when it means nothing. While something lies
   * over the page (`isCovered`) only what works while typing does.
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
    if ((name === "Enter" || name === " ") && isOperated(event.target)) return;
    const pressed = before === "" ? name : `${before} ${name}`;
    const found = this.#find(pressed, typing);
    if (found !== undefined) {
      event.preventDefault();
      if (!event.repeat || found.repeats === true) found.run(event);
    } else if (!typing && !event.repeat && this.#isPrefix(pressed)) {
      event.preventDefault();
      this.#setPending(pressed);
    } else if (before !== "" && (isLetter(name) || name === "Escape")) {
      // The rest of a sequence that nobody has; on its own it would mean something else.
      event.preventDefault();
    }
  }

  #bufferKey(name: string, event: KeyboardEvent, buffer: KeyBuffer): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      // What the page has is not done now; what the browser has stays the browser's.
      if (this.#find(name, false) !== undefined) event.preventDefault();
      return;
    }
    event.preventDefault();
    if (!event.repeat) buffer.take(event.key);
  }

  #find(pressed: string, typing: boolean): Shortcut | undefined {
    for (const scope of this.#scopes.toReversed()) {
      for (const shortcut of scope) {
        if (typing && shortcut.inInputs !== true) continue;
        if (this.keysOf(shortcut).includes(pressed) && shortcut.when?.() !== false) return shortcut;
      }
    }
    // What means nothing with Shift means what it does without.
    return pressed.includes("Shift+") ? this.#find(pressed.replace("Shift+", ""), typing) : undefined;
  }

  #isPrefix(pressed: string): boolean {
    return this.#scopes.some((scope) =>
      scope.some((shortcut) => this.keysOf(shortcut).some((key) => key.startsWith(`${pressed} `))),
    );
  }

  #setPending(pressed: string): void {
    clearTimeout(this.#timer);
    this.pendingKeys = pressed;
    if (pressed !== "") this.#timer = setTimeout(() => { this.pendingKeys = ""; }, SEQUENCE_MS);
  }
}

export const keys = new Keys();
