/** Reads pressed keys as a shortcut in the daemon's spelling, such as `Ctrl+Alt+M`. */

type Pressed = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey">;

const ARROW = /^Arrow(Up|Down|Left|Right)$/u;
const NAMED = /^(F(?:[1-9]|1\d|20)|Space|Enter|Tab|Insert|Delete|Home|End|PageUp|PageDown)$/u;
const BY_PLACE = /^(?:Key|Digit)([A-Z0-9])$/u;
const LETTER = /^[a-z]$/iu;

/** The key: a letter by what is on it, as Alt may change what it types; others by their place. */
function keyOf({ key, code }: Pressed): string | undefined {
  if (LETTER.test(key)) return key.toUpperCase();
  return [ARROW, NAMED, BY_PLACE].map((one) => one.exec(code)?.[1]).find((found) => found !== undefined);
}

/** The modifiers that are held, each with a plus behind it. */
export function heldOf({ ctrlKey, altKey, shiftKey, metaKey }: Pressed): string {
  return `${ctrlKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${metaKey ? "Super+" : ""}`;
}

/** The shortcut; undefined while only modifiers are held, or with keys that can't be one. */
export function shortcutOf(pressed: Pressed): string | undefined {
  const key = keyOf(pressed);
  return key === undefined ? undefined : `${heldOf(pressed)}${key}`;
}
