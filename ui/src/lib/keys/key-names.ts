/** What keys are called: in a declaration, and for people. */

const TEXT_INPUTS = new Set(["", "text", "search", "email", "url", "number", "password", "tel"]);
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified"]);

/** Whether the element takes letters for itself. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && TEXT_INPUTS.has(target.type);
}

/** Whether Enter and Space already mean something on the element. */
export function isOperated(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("button, a[href], summary, [role^=menuitem], input[type=checkbox]") !== null
  );
}

/** A key that only changes what others mean, or none at all. */
export function isModifier(event: KeyboardEvent): boolean {
  return MODIFIERS.has(event.key);
}

/** A single character: a letter, `#`, `/`. */
export function isLetter(key: string): boolean {
  return key.length === 1;
}

/** The name of a pressed key, as shortcuts are declared. */
export function keyName(event: KeyboardEvent): string {
  // AltGr types characters such as # and / on many keyboards, and looks like Ctrl and Alt.
  if (event.getModifierState("AltGraph")) return event.key;
  const mod = event.ctrlKey || event.metaKey ? "Mod+" : "";
  const key = mod !== "" && isLetter(event.key) ? event.key.toLowerCase() : event.key;
  // Shift is part of the character itself, but not of keys such as Enter.
  const shift = event.shiftKey && !isLetter(event.key) ? "Shift+" : "";
  return mod + (event.altKey ? "Alt+" : "") + shift + key;
}

/** Whether one cannot have both: they are the same, or one is the beginning of the other. */
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

/** A key, or keys one after the other, as people read them. */
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
