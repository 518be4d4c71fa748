/** Test helpers: mount a component, press keys, type text. */

import { flushSync, mount, unmount, type Component } from "svelte";
import { onTestFinished } from "vitest";

export function render<Props extends object>(component: Component<Props>, props: Props): HTMLElement {
  const target = document.createElement("div");
  document.body.append(target);
  const shown = mount(component, { target, props });
  flushSync();
  onTestFinished(async () => {
    await unmount(shown);
    target.remove();
  });
  return target;
}

/** Press a key on the focused element, or on the page. */
export function press(key: string, more: KeyboardEventInit = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  (document.activeElement ?? document.body).dispatchEvent(event);
  flushSync();
}

/** Replace a field's text as a user would. */
export function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  flushSync();
}
