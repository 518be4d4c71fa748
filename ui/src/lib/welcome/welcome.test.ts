import { beforeEach, expect, test } from "vitest";

import { isStep, Welcome } from "./welcome.svelte";

beforeEach(() => {
  localStorage.clear();
});

test("it opens by itself once in a window, until it is dismissed", () => {
  const welcome = new Welcome();
  expect([welcome.offer(), welcome.offer()]).toEqual([true, false]);
  expect(new Welcome().offer()).toBe(true);
  welcome.dismiss();
  expect(new Welcome().offer()).toBe(false);
});

test("passed steps survive a reload, and it goes on with the first that wasn't passed", () => {
  const welcome = new Welcome();
  expect(welcome.first).toBe("agents");
  welcome.pass("agents");
  welcome.pass("keep");
  const reloaded = new Welcome();
  expect([reloaded.first, reloaded.isDone("keep"), reloaded.isDone("desktop")]).toEqual(["import", true, false]);
  reloaded.pass("import", true);
  expect([reloaded.first, reloaded.isDone("import"), new Welcome().isSkipped("import")]).toEqual(["desktop", false, true]);
  for (const id of ["desktop", "next"] as const) reloaded.pass(id);
  expect(reloaded.first).toBe("next");
});

test("what else stands in the storage or the address is no step", () => {
  localStorage.setItem("intaglio.welcome", "nonsense  agents");
  expect(new Welcome().first).toBe("import");
  expect([isStep("agents"), isStep("nonsense"), isStep(null)]).toEqual([true, false, false]);
});
