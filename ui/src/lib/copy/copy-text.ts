/** Copies text to the clipboard, and says whether that worked. */

import { toasts } from "$lib/state/toasts.svelte";

export async function copyText(text: string, done = "Copied."): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.add(done);
    return true;
  } catch {
    toasts.add("Couldn't copy to the clipboard.", { tone: "danger", hint: "Select the text and press Ctrl+C." });
    return false;
  }
}
