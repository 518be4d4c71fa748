import { expect, test } from "vitest";

import type { MemoryCommits as Reply } from "$lib/api/client";
import { render } from "$lib/testing";

import { MemoryCommits } from "./memory-commits.svelte";
import Shown from "./MemoryCommits.svelte";

const PLACE: Reply["places"][number] = {
  path: "src/export.py",
  symbol: null,
  nowPath: null,
  mark: "",
  foundAt: "2026-01-20T09:00:00Z",
  checkedAt: "2026-01-20T09:00:00Z",
};
const COMMIT: Reply["commits"][number] = {
  project: "/work/shop",
  hash: "3fa21c0b".padEnd(40, "0"),
  committedAt: "2026-01-12T09:00:00Z",
  kind: "revert",
  reverts: null,
  author: null,
  subject: "Retry the export",
  excerpt: "",
  reason: "Its message shares the word export.",
};

function shown(reply: Reply): HTMLElement {
  const about = new MemoryCommits();
  about.set(reply);
  return render(Shown, { about });
}

const textOf = (page: Element): string => page.textContent.replace(/\s+/gu, " ").trim();

test("a memory without places and commits shows nothing of them", () => {
  expect(textOf(shown({ commits: [], places: [] }))).toBe("");
});

test("places are listed with what became of them", () => {
  const page = shown({
    commits: [],
    places: [
      PLACE,
      { ...PLACE, symbol: "retry", mark: "symbol gone since" },
      { ...PLACE, path: "a.py", nowPath: "b.py", mark: "file renamed since" },
    ],
  });
  expect([...page.querySelectorAll("li")].map(textOf)).toEqual([
    "src/export.py",
    "src/export.py, retry symbol gone since",
    "a.py now b.py file renamed since",
  ]);
});

test("commits are listed with kind, hash and a link to their message", () => {
  const page = shown({ commits: [COMMIT], places: [] });
  expect(page.querySelector("svg")?.getAttribute("aria-label")).toBe("Revert");
  expect(page.querySelector("a")?.getAttribute("href")).toContain(`commits=1&project=%2Fwork%2Fshop&q=${COMMIT.hash}`);
  expect(page.querySelector("a")?.title).toBe("Retry the export\nIts message shares the word export.");
  expect(page.querySelector("code")?.textContent).toBe("3fa21c0b");
});
