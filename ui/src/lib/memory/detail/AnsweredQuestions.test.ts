import { expect, test } from "vitest";

import type { MemoryQuestions } from "$lib/api/client";
import { render } from "$lib/testing";

import { AnsweredQuestions } from "./answered-questions.svelte";
import Shown from "./AnsweredQuestions.svelte";

class Fixed extends AnsweredQuestions {
  constructor(private readonly reply: MemoryQuestions) {
    super();
    this.set(reply);
  }

  protected override read(): Promise<MemoryQuestions> {
    return Promise.resolve(this.reply);
  }
}

function shown(reply: MemoryQuestions): string {
  const page = render(Shown, { id: "m1", version: 1, answered: new Fixed(reply) });
  return page.textContent.replace(/\s+/gu, " ").trim();
}

test("a memory without questions shows nothing of them", () => {
  expect(shown({ questions: [], model: null })).toBe("");
});

test("questions are listed with who wrote them", () => {
  expect(shown({ questions: ["Which database?", "Where is it?"], model: "qwen3:4b" })).toBe(
    "Questions it answers Which database?Where is it? Written by qwen3:4b.",
  );
  expect(shown({ questions: ["Which database?"], model: null })).toContain("Made of its own words.");
});
