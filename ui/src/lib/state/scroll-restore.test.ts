import { beforeEach, expect, test } from "vitest";

import { restorePosition, capturePosition } from "./scroll-restore";

let root: HTMLElement;

function build(rows: string[]): void {
  root.innerHTML = `<h1>Queue</h1><div></div>`;
  const list = root.querySelector("div");
  for (const text of rows) {
    const link = document.createElement("button");
    link.textContent = text;
    list?.append(link);
  }
}

function button(text: string): HTMLElement | undefined {
  return [...root.querySelectorAll("button")].find((one) => one.textContent === text);
}

beforeEach(() => {
  document.body.innerHTML = "<main></main>";
  root = document.body.firstElementChild as HTMLElement;
  build(["one", "two"]);
});

test("a new view has the focus at its heading", () => {
  restorePosition(root, undefined);
  expect(document.activeElement?.textContent).toBe("Queue");
});

test("what has the focus already keeps it", () => {
  button("one")?.focus();
  restorePosition(root, undefined);
  expect(document.activeElement?.textContent).toBe("one");
});

test("scroll and focus come back as they were", () => {
  button("two")?.focus();
  const list = root.querySelector("div");
  if (list) list.scrollTop = 40;
  const spot = capturePosition(root);
  build(["one", "two"]);
  restorePosition(root, spot);
  expect(document.activeElement?.textContent).toBe("two");
  expect(root.querySelector("div")?.scrollTop).toBe(40);
});

test("rows that come later are waited for", async () => {
  button("two")?.focus();
  const spot = capturePosition(root);
  build([]);
  const end = restorePosition(root, spot);
  expect(document.activeElement?.textContent).toBe("Queue");
  build(["one", "two"]);
  await new Promise((done) => setTimeout(done, 20));
  expect(document.activeElement?.textContent).toBe("two");
  end();
});

test("another row in the same place is not taken for it", () => {
  button("two")?.focus();
  const spot = capturePosition(root);
  build(["one", "other"]);
  restorePosition(root, spot)();
  expect(document.activeElement?.textContent).toBe("Queue");
});
