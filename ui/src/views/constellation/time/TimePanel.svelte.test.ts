import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { paletteOf } from "$lib/constellation/palette";
import { clusteredMap } from "$lib/constellation/testing";
import type { StarMap } from "$lib/constellation/values";

import { dayText, parseDay, rangeText } from "./days";
import { NOW, type TimeView } from "./time-view";
import TimePanel from "./TimePanel.svelte";

const TODAY = parseDay("2026-03-31") ?? 0;

/** One memory a day in March; one changed on the 30th, one is gone since the 31st. */
function march(): StarMap {
  const map = clusteredMap(31);
  const days = (at: (index: number) => number): Uint16Array => Uint16Array.from({ length: 31 }, (_, index) => at(index));
  return {
    ...map,
    created: days((index) => TODAY - 30 + index),
    changed: days((index) => (index === 0 ? TODAY - 1 : 0)),
    ended: days((index) => (index === 1 ? TODAY : 0)),
  };
}

interface Shown {
  view: TimeView;
  isStill: boolean;
  passing: boolean[];
  selected: number[][];
}

function shown(view: TimeView, isStill = false): Shown {
  const now = $state<Shown>({ view, isStill, passing: [], selected: [] });
  const panel = mount(TimePanel, {
    target: document.body,
    props: {
      map: march(),
      today: TODAY,
      palette: paletteOf({ isDark: false, hasMoreContrast: false }),
      get view() {
        return now.view;
      },
      get isStill() {
        return now.isStill;
      },
      onchange: (next: TimeView, isPassing: boolean) => {
        now.view = next;
        now.passing.push(isPassing);
      },
      onselect: (indexes: Uint32Array) => {
        now.selected.push([...indexes]);
      },
    },
  });
  flushSync();
  onTestFinished(() => unmount(panel));
  return now;
}

const text = (): string => document.body.textContent.replace(/\s+/g, " ");
const sliders = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>("input[type=range]")];

function click(name: string): void {
  const found = [...document.querySelectorAll("button, label")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent).trim() === name,
  );
  if (!(found instanceof HTMLElement)) throw new Error(`no “${name}”`);
  (found.querySelector("input") ?? found).click();
  flushSync();
}

function slide(index: number, day: string, event: "input" | "change"): void {
  const slider = sliders()[index];
  if (slider === undefined) throw new Error("no such slider");
  slider.value = String(parseDay(day));
  slider.dispatchEvent(new Event(event, { bubbles: true }));
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("the newest week is two presses away", () => {
  const now = shown(NOW);
  click("Created");
  expect(now.view).toEqual({ kind: "created", from: TODAY - 6, to: TODAY });
  expect(text()).toContain(`7 memories created ${rangeText(TODAY - 6, TODAY).replace(/\s+/g, " ")}`);
  click("Select 7");
  expect(now.selected[0]).toEqual([24, 25, 26, 27, 28, 29, 30]);
});

test("two days are compared, and what is new, changed or gone can be selected", () => {
  const now = shown({ kind: "difference", from: TODAY - 2, to: TODAY });
  expect(text()).toContain("2 new 1 changed 1 gone");
  for (const name of ["2 new", "1 changed", "1 gone"]) click(name);
  expect(now.selected).toEqual([[29, 30], [0], [1]]);
});

test("each thumb says its day, and stops at the other one", () => {
  const now = shown({ kind: "created", from: TODAY - 6, to: TODAY - 2 });
  const said = sliders().map((one) => `${one.getAttribute("aria-label") ?? ""} ${one.getAttribute("aria-valuetext") ?? ""}`);
  expect(said).toEqual([`From ${dayText(TODAY - 6)}`, `To ${dayText(TODAY - 2)}`]);
  slide(0, "2026-03-31", "input");
  slide(0, "2026-03-31", "change");
  expect(now.view).toEqual({ kind: "created", from: TODAY - 2, to: TODAY - 2 });
  expect(now.passing).toEqual([true, false]);
});

test("it plays from the first day to the last, and stops there", () => {
  const now = shown(NOW);
  click("Play the growth");
  expect(now.view).toEqual({ kind: "asOf", day: TODAY - 30 });
  vi.advanceTimersByTime(10_000);
  flushSync();
  expect(now.view).toEqual({ kind: "asOf", day: TODAY });
  expect([now.passing.length, now.passing.at(-1)]).toEqual([31, false]);
  vi.advanceTimersByTime(10_000);
  expect(now.passing).toHaveLength(31);
});

test("whoever moves the slider stops the play", () => {
  const now = shown({ kind: "asOf", day: TODAY - 20 });
  click("Play the growth");
  slide(0, "2026-03-05", "change");
  vi.advanceTimersByTime(10_000);
  expect(now.view).toEqual({ kind: "asOf", day: TODAY - 26 });
});

test("with less motion there is no play", () => {
  const now = shown({ kind: "asOf", day: TODAY - 20 });
  click("Play the growth");
  now.isStill = true;
  flushSync();
  vi.advanceTimersByTime(10_000);
  expect(now.view).toEqual({ kind: "asOf", day: TODAY - 20 });
  expect(document.querySelector("button[aria-label='Play the growth']")).toBeNull();
});
