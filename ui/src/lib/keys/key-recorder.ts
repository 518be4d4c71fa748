/** Records new keys for a shortcut: one key, or two letters in a row. */

import { isLetter, isModifier, keyName } from "./key-names";

/** How long to wait for a second letter. */
export const SECOND_KEY_MS = 900;
/** Keys that the page, the browser or a screen reader needs. */
const RESERVED = new Set([
  "Tab",
  "Shift+Tab",
  "Enter",
  " ",
  "Mod+c",
  "Mod+v",
  "Mod+x",
  "Mod+a",
  "Mod+z",
  "Mod+w",
  "Mod+t",
  "Mod+n",
  "Mod+r",
]);

export type RecordedKeys =
  | { readonly kind: "nothing" }
  | { readonly kind: "cancel" }
  | { readonly kind: "clear" }
  | { readonly kind: "partial"; readonly keys: string }
  | { readonly kind: "done"; readonly keys: string }
  | { readonly kind: "refused"; readonly why: string };

/** Take one key; `begun` is the letter before it. `inInputs`: the action works while someone types. */
export function recordKey(event: KeyboardEvent, firstKey: string, inInputs: boolean): RecordedKeys {
  if (event.isComposing || isModifier(event)) return { kind: "nothing" };
  const name = keyName(event);
  if (name === "Escape") return { kind: "cancel" };
  if (name === "Backspace") return { kind: "clear" };
  if (RESERVED.has(name)) return { kind: "refused", why: "This key is reserved." };
  if (firstKey !== "")
    return isLetter(name) ? { kind: "done", keys: `${firstKey} ${name}` } : { kind: "refused", why: "The second key must be a character." };
  if (!isLetter(name)) return { kind: "done", keys: name };
  if (inInputs) return { kind: "refused", why: "This shortcut works while typing, so it can't be a single character. Add Ctrl." };
  return { kind: "partial", keys: name };
}
