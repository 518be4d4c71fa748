/** Keeps the keyboard in a view when the control that had focus goes away. */

import { tick } from "svelte";

/** After the next update, focus an element if nothing has focus any more. */
export function focusIfLost(find: () => HTMLElement | null | undefined): void {
  void tick().then(() => {
    if (document.activeElement === document.body) find()?.focus({ preventScroll: true });
  });
}

/** After the next update, focus the view's heading if nothing has focus any more. */
export function focusHeadingIfLost(): void {
  focusIfLost(() => document.querySelector<HTMLElement>("main h1"));
}
