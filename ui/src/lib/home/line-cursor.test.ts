import { tick } from "svelte";
import { afterEach, expect, test } from "vitest";

import { LineCursor } from "./line-cursor.svelte";
import { NextSession } from "./next-session.svelte";

const page = document.createElement("ul");

function show(...keys: string[]): void {
  page.replaceChildren(
    ...keys.map((key) => {
      const row = document.createElement("li");
      row.tabIndex = -1;
      row.dataset.line = key;
      return row;
    }),
  );
}

const cursor = new LineCursor(new NextSession("/work/shop"), () => page);

afterEach(() => {
  page.remove();
});

test("focus returns to its line, and goes to the one in its place if that is gone", async () => {
  document.body.append(page);
  show("told a", "told b", "told c");
  cursor.focus("told b");
  cursor.keepFocus();
  show("told a", "told b", "told c");
  await tick();
  expect(cursor.focused).toBe("told b");
  cursor.keepFocus();
  show("told a", "told c");
  await tick();
  expect(cursor.focused).toBe("told c");
  cursor.keepFocus();
  show("told a");
  await tick();
  expect(cursor.focused).toBe("told a");
});
