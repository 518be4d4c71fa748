/** Names of keys, as shortcuts declare them and as users read them. */

const TEXT_INPUTS = new Set(["", "text", "search", "email", "url", "number", "password", "tel"]);
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified"]);

/** Whether the element accepts typed text. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && TEXT_INPUTS.has(target.type);
}

/** Whether Enter and Space already activate the element. */
export function isActivatable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, a[href], summary, [role^=menuitem], input[type=checkbox]") !== null;
}

/** Whether the event is a modifier or dead key. */
export function isModifier(event: KeyboardEvent): boolean {
  return MODIFIERS.has(event.key);
}

/** Whether the key is a single character, such as a letter, `#` or `/`. */
export function isLetter(key: string): boolean {
  return key.length === 1;
}

/** The name of a pressed key, as in shortcut declarations. */
export function keyName(event: KeyboardEvent): string {
  // AltGr types characters such as # and / on many keyboards, and is reported as Ctrl+Alt.
  if (event.getModifierState("AltGraph")) return event.key;
  const mod = event.ctrlKey || event.metaKey ? "Mod+" : "";
  const key = mod !== "" && isLetter(event.key) ? event.key.toLowerCase() : event.key;
  // Shift is part of the character itself, but not of keys such as Enter.
  const shift = event.shiftKey && !isLetter(event.key) ? "Shift+" : "";
  return mod + (event.altKey ? "Alt+" : "") + shift + key;
}

/** Whether two key sequences conflict: they're equal, or one is a prefix of the other. */
export function keysConflict(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
}

const NAMES: Record<string, string> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Delete: "Del",
  PageDown: "PgDn",
  PageUp: "PgUp",
  " ": "Space",
};

/** A key or key sequence as users read it. */
export function shownKey(keys: string, mac = /Mac|iPhone|iPad/.test(navigator.userAgent)): string {
  const one = (key: string): string => {
    const parts = key.split("+").filter((part) => part !== "");
    const isHeld = parts.length > 1;
    const shown = parts.map((part) => {
      if (part === "Mod") return mac ? "⌘" : "Ctrl";
      return NAMES[part] ?? (isHeld && isLetter(part) ? part.toUpperCase() : part);
    });
    return (key.endsWith("+") ? [...shown, "+"] : shown).join(mac ? "" : " ");
  };
  return keys === " " ? "Space" : keys.split(" ").map(one).join(" then ");
}
