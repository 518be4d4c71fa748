import { beforeEach, expect, test } from "vitest";

import { Appearance } from "./appearance.svelte";

const root = document.documentElement;

beforeEach(() => {
  localStorage.clear();
  for (const name of Object.keys(root.dataset)) root.removeAttribute(`data-${name}`);
});

test("a choice is written where the styles read it, and kept", () => {
  new Appearance().choose("theme", "dark");
  expect(root.dataset.theme).toBe("dark");
  expect(new Appearance().of("theme")).toBe("dark");
});

test("the first choice of a kind keeps nothing and writes nothing", () => {
  const look = new Appearance();
  look.choose("contrast", "more");
  expect(root.dataset.contrast).toBe("more");
  look.choose("contrast", "system");
  expect([root.dataset.contrast, localStorage.length]).toEqual([undefined, 0]);
});

test("rows are lower where the user wants more of them", () => {
  const look = new Appearance();
  expect(look.rowPx).toBe(32);
  look.choose("density", "compact");
  expect(look.rowPx).toBe(28);
});

test("what another version kept is not taken", () => {
  localStorage.setItem("intaglio.theme", "solarized");
  expect(new Appearance().of("theme")).toBe("system");
});

test("a choice in another window is followed", () => {
  const look = new Appearance();
  const stop = look.start();
  localStorage.setItem("intaglio.density", "compact");
  dispatchEvent(new StorageEvent("storage", { key: "intaglio.density" }));
  expect([look.of("density"), root.dataset.density]).toEqual(["compact", "compact"]);
  stop();
});
