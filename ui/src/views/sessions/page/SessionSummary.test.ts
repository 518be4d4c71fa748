import { expect, test } from "vitest";

import { render } from "$lib/testing";

import SessionSummary from "./SessionSummary.svelte";

test("a summary shows its sentences, decisions and topics, and whose words they are", () => {
  const page = render(SessionSummary, {
    session: { summary: "The linter was set up.", decisions: ["It runs before each push."], topics: ["linter", "CI"] },
  });
  expect(page.querySelector("section")?.getAttribute("aria-label")).toBe("Summary");
  expect([...page.querySelectorAll("p, li, span")].map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(["The linter was set up.", "It runs before each push.", "linter · CI", "Summarised by your language model"]),
  );
});
