/** What a user types to give an action other keys: one key, or two letters in a row. */

import { isLetter, isModifier, keyName } from "./key-names";

/** After the first letter, how long a second one is waited for. */
export const SECOND_KEY_MS = 900;
/** What the page, the browser or a reader cannot do without. */
const RESERVED = new Set(["Tab", "Shift+Tab", "Enter", " ", "Mod+c", "Mod+v", "Mod+x", "Mod+a", "Mod+z", "Mod+w", "Mod+t", "Mod+n", "Mod+r"]);

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
  if (RESERVED.has(name)) return { kind: "refused", why: "The browser or the page needs this key." };
  if (firstKey !== "") return isLetter(name) ? { kind: "done", keys: `${firstKey} ${name}` } : { kind: "refused", why: "The second key has to be a letter or a sign." };
  if (!isLetter(name)) return { kind: "done", keys: name };
  if (inInputs) return { kind: "refused", why: "This works while you type, so it needs Ctrl or another key than a letter." };
  return { kind: "partial", keys: name };
}
