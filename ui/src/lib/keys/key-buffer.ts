/** Buffers keys typed while a dialog loads, and replays them in it. */

import { flushSync } from "svelte";

import { isLetter, takesText } from "./key-names";

/** The parts of a pressed key that are replayed. */
type Stroke = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">;

/** Whether it is Ctrl+Enter or ⌘Enter, which submits a form. */
export function isSubmit(stroke: Stroke): boolean {
  return stroke.key === "Enter" && (stroke.ctrlKey || stroke.metaKey);
}

function insert(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
}

function press(field: HTMLInputElement | HTMLTextAreaElement, stroke: Stroke): void {
  const isFree = field.dispatchEvent(new KeyboardEvent("keydown", { ...stroke, bubbles: true, cancelable: true }));
  if (stroke.key !== "Enter" || isSubmit(stroke) || !isFree) return;
  // The browser's default action for Enter.
  if (field instanceof HTMLTextAreaElement) insert(field, "\n");
  else field.form?.requestSubmit();
}

export class KeyBuffer {
  readonly strokes: Stroke[];
  /** Whether Esc was pressed. */
  isCancelled = false;
  readonly #oncancel: () => void;

  constructor(before: readonly Stroke[], oncancel: () => void) {
    this.strokes = [...before];
    this.#oncancel = oncancel;
  }

  take({ key, ctrlKey, metaKey }: Stroke): void {
    if (key === "Escape") {
      this.isCancelled = true;
      this.#oncancel();
    } else if (key === "Backspace") this.strokes.pop();
    else this.strokes.push({ key, ctrlKey, metaKey });
  }

  /** Type the buffered keys into the focused text field; any other element ignores them, to be safe. */
  replay(): void {
    for (const stroke of this.strokes.splice(0)) {
      const field = document.activeElement;
      if (!takesText(field)) return;
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
      if (isLetter(stroke.key)) insert(field, stroke.key);
      else press(field, stroke);
      // The next key must see the effect of this one.
      flushSync();
    }
  }
}
