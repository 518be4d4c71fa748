import { beforeEach, expect, test } from "vitest";

import { RowFocus } from "./row-focus";

const row = (id: string): string => `<tr data-row="${id}"><th><a href="#${id}">${id}</a></th><td><button>x</button></td></tr>`;
const rows = new RowFocus(() => document.body);
const here = (): string | undefined => (document.activeElement === document.body ? undefined : document.activeElement?.textContent);

beforeEach(() => {
  document.body.innerHTML = `<table>${row("a")}${row("b")}</table><table>${row("c")}</table><button id="else">else</button>`;
});

test("the keyboard goes from row to row, also into the next table, and stops at the ends", () => {
  rows.move(1);
  expect([here(), rows.id, rows.index]).toEqual(["a", "a", 0]);
  rows.move(-1);
  expect(here()).toBe("a");
  for (let step = 0; step < 3; step += 1) rows.move(1);
  expect([here(), rows.index]).toEqual(["c", 2]);
});

test("what is in a row belongs to it, and what is elsewhere to none", () => {
  document.querySelectorAll<HTMLElement>("td button")[1]?.focus();
  expect(rows.id).toBe("b");
  rows.move(1);
  expect(here()).toBe("c");
  document.getElementById("else")?.focus();
  expect([rows.id, rows.index]).toEqual([undefined, -1]);
});

test("where a row has gone the next in its place has the focus, or none is left", () => {
  expect(rows.to("b")).toBe(true);
  document.querySelector("[data-row=c]")?.remove();
  expect(rows.toIndex(2)).toBe(true);
  expect(here()).toBe("b");
  expect(rows.to("c")).toBe(false);
  document.body.innerHTML = "";
  expect(rows.toIndex(0)).toBe(false);
});
