import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { expect, onTestFinished, test, vi } from "vitest";

import Table from "./Table.svelte";

const cell = (html: (row: string) => string) => createRawSnippet((row: () => string) => ({ render: () => html(row()) }));
const COLUMNS = [
  { title: "Project", cell: cell((row) => `<a href="/p/${row}">${row}</a>`) },
  { title: "Memories", cell: cell(() => "<span>3</span>") },
  { title: "Actions", cell: cell(() => "<button>More</button>") },
];

function clicked(opens: boolean, at: string): string | undefined {
  const page = document.body.appendChild(document.createElement("div"));
  const props = { label: "Projects", rows: ["shop"], columns: COLUMNS, key: (row: string) => row, opens };
  const shown = mount(Table<string>, { target: page, props });
  flushSync();
  onTestFinished(async () => {
    await unmount(shown);
    page.remove();
  });
  const follow = vi.fn((event: Event) => {
    event.preventDefault();
  });
  const link = page.querySelector("a");
  link?.addEventListener("click", follow);
  page.querySelector<HTMLElement>(at)?.click();
  return follow.mock.calls.length > 0 ? (link?.getAttribute("href") ?? "") : undefined;
}

test.each([
  ["td span", true, "/p/shop"],
  ["td", true, "/p/shop"],
  ["a", true, "/p/shop"],
  ["button", true, undefined],
  ["td span", false, undefined],
])("a click on %s of a row, which opens: %s", (at, opens, followed) => {
  expect(clicked(opens, at)).toBe(followed);
});
