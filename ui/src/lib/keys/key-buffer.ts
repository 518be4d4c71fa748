/** What is typed while the part that will take the keys is on its way: kept, and typed again there. */

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
  // What a browser does with an Enter that nobody takes.
  if (field instanceof HTMLTextAreaElement) insert(field, "\n");
  else field.form?.requestSubmit();
}

export class KeyBuffer {
  readonly strokes: string[];
  /** Esc was pressed. */
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

  /** Type it where the focus is now: only a field takes it, for a button it might be more than was meant. */
  replay(): void {
    for (const key of this.strokes.splice(0)) {
      const field = document.activeElement;
      if (!takesText(field)) return;
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
      if (isLetter(key)) insert(field, key);
      else press(field, key);
      // The next key is for what this one made of it.
      flushSync();
    }
  }
}
