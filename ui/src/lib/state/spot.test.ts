import { beforeEach, expect, test } from "vitest";

import { putBack, spotOf } from "./spot";

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
  putBack(root, undefined);
  expect(document.activeElement?.textContent).toBe("Queue");
});

test("what has the focus already keeps it", () => {
  button("one")?.focus();
  putBack(root, undefined);
  expect(document.activeElement?.textContent).toBe("one");
});

test("scroll and focus come back as they were", () => {
  button("two")?.focus();
  const list = root.querySelector("div");
  if (list) list.scrollTop = 40;
  const spot = spotOf(root);
  build(["one", "two"]);
  putBack(root, spot);
  expect(document.activeElement?.textContent).toBe("two");
  expect(root.querySelector("div")?.scrollTop).toBe(40);
});

test("rows that come later are waited for", async () => {
  button("two")?.focus();
  const spot = spotOf(root);
  build([]);
  const end = putBack(root, spot);
  expect(document.activeElement?.textContent).toBe("Queue");
  build(["one", "two"]);
  await new Promise((done) => setTimeout(done, 20));
  expect(document.activeElement?.textContent).toBe("two");
  end();
});

test("another row in the same place is not taken for it", () => {
  button("two")?.focus();
  const spot = spotOf(root);
  build(["one", "other"]);
  putBack(root, spot)();
  expect(document.activeElement?.textContent).toBe("Queue");
});
