import { expect, test } from "vitest";

import type { ComparedCommit as Compared } from "$lib/api/client";
import { render } from "$lib/testing";

import ComparedCommit from "./ComparedCommit.svelte";

const COMPARED: Compared = {
  project: "/work/shop",
  hash: "3fa21c0b".padEnd(40, "0"),
  at: "2026-01-30T09:00:00Z",
  subject: "Retry the export five times",
  score: 0.914,
  floor: 0.5,
  shown: true,
  reason: "Its message shares the words export, retry.",
  tokens: 40,
};

test("a commit that is told says its hash, why, and what is told, and leads to its message", () => {
  const page = render(ComparedCommit, { compared: COMPARED, line: "decided in commit 3fa21c0b: “Retry.”" });
  const link = page.querySelector("a");
  expect([link?.textContent, link?.getAttribute("href")]).toEqual([
    COMPARED.subject,
    `/memories?commits=1&project=%2Fwork%2Fshop&q=${COMPARED.hash}`,
  ]);
  expect(page.textContent.replace(/\s+/gu, " ")).toContain("Score 0.91, needs 0.50. Its message shares the words export, retry.");
  expect(page.querySelector("code")?.textContent).toBe("3fa21c0b");
  expect(page.querySelector(".told")?.textContent).toContain("“Retry.”");
});
