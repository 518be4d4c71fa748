/** Buffers keys typed while a dialog loads, and replays them in it. */

import { flushSync } from "svelte";

import { isLetter, takesText } from "./key-names";

function insert(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
}

function press(field: HTMLInputElement | HTMLTextAreaElement, key: string): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  const isFree = field.dispatchEvent(event);
  if (key !== "Enter" || !isFree) return;
  // The browser's default action for Enter.
  if (field instanceof HTMLTextAreaElement) insert(field, "\n");
  else field.form?.requestSubmit();
}

export class KeyBuffer {
  readonly strokes: string[];
  /** Whether Esc was pressed. */
  isCancelled = false;
  readonly #oncancel: () => void;

  constructor(before: readonly string[], oncancel: () => void) {
    this.strokes = [...before];
    this.#oncancel = oncancel;
  }

  take(key: string): void {
    if (key === "Escape") {
      this.isCancelled = true;
      this.#oncancel();
    } else if (key === "Backspace") this.strokes.pop();
    else this.strokes.push(key);
  }

  /** Type the buffered keys into the focused text field; any other element ignores them, to be safe. */
  replay(): void {
    for (const key of this.strokes.splice(0)) {
      const field = document.activeElement;
      if (!takesText(field)) return;
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
      if (isLetter(key)) insert(field, key);
      else press(field, key);
      // The next key must see the effect of this one.
      flushSync();
    }
  }
}
