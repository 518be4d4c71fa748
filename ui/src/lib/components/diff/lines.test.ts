import { flushSync, mount, unmount } from "svelte";
import { expect, onTestFinished, test } from "vitest";

import Diff from "./Diff.svelte";
import { linesOf, type Part } from "./lines";

const part = (text: string, kind: Part["kind"] = "same"): Part => ({ kind, text, piece: 0 });
const shown = (parts: readonly Part[]): string[][] => linesOf(parts).map((line) => line.map(({ kind, text }) => `${kind}:${text}`));

test("parts are split into lines, and what a fold stands for stays with the line after it", () => {
  expect(shown([part("a\n\nb "), part("c", "removed"), part("d\n", "added")])).toEqual([
    ["same:a\n"],
    ["same:\n"],
    ["same:b ", "removed:c", "added:d\n"],
  ]);
  expect(shown([part("a\n"), part("9 unchanged characters", "fold"), part("b\nc")])).toEqual([
    ["same:a\n"],
    ["fold:9 unchanged characters", "same:b\n"],
    ["same:c"],
  ]);
  expect(shown([part(""), part("x", "fold"), part("")])).toEqual([["fold:x"]]);
});

test("each line has its own direction, and the marker of a fold is left to right", () => {
  const target = document.body.appendChild(document.createElement("div"));
  const same = `استخدم الخيار\nUse tabs\n${"x ".repeat(300)}\n`;
  const component = mount(Diff, { target, props: { before: `${same}old\n`, after: `${same}new\n`, view: "inline" } });
  flushSync();
  onTestFinished(async () => {
    await unmount(component);
    target.remove();
  });
  target.querySelector<HTMLButtonElement>("button[dir=ltr]")?.click();
  flushSync();
  const lines = [...target.querySelectorAll("p.text > [dir=auto]")].map((line) => line.textContent);
  expect(lines.slice(0, 2)).toEqual(["استخدم الخيار\n", "Use tabs\n"]);
  expect(target.querySelector("p.text")?.hasAttribute("dir")).toBe(false);
});
