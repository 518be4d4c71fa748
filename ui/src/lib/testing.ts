/** For tests: a component on a page of its own, as the browser draws it; it goes when the test ends. */

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

/** What the browser would do with it: a press of a key on what has the focus, or on the page. */
export function press(key: string, more: KeyboardEventInit = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  (document.activeElement ?? document.body).dispatchEvent(event);
  flushSync();
}

/** Type into a field as a person does. */
export function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  flushSync();
}
