import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Router } from "./router.svelte";

let place: Router;
let by: number[];

/** The browser goes back or forth: the address first, then the word of it. */
function arrive(path: string, at: number | undefined): void {
  history.replaceState(at === undefined ? null : { at }, "", path);
  dispatchEvent(new PopStateEvent("popstate", { state: at === undefined ? null : { at } }));
}

beforeEach(() => {
  history.replaceState(null, "", "/memories");
  place = new Router();
  by = [];
  vi.spyOn(history, "go").mockImplementation((delta = 0) => void by.push(delta));
});

afterEach(() => {
  place.stop();
});

test("going somewhere changes path, query and address", () => {
  expect(place.go("/queue", new URLSearchParams({ q: "a b" }))).toBe(true);
  expect([place.path, place.query.get("q")]).toEqual(["/queue", "a b"]);
  expect(location.pathname + location.search).toBe("/queue?q=a+b");
});

test("each step has a number of its own, and a step in its place keeps it", () => {
  place.go("/queue");
  place.go("/agents");
  place.go("/agents", new URLSearchParams({ a: "1" }), "replace");
  expect(place.at).toBe(2);
  expect(history.state).toEqual({ at: 2 });
});

test("a step back is told apart from a link", () => {
  place.go("/queue");
  expect(place.arrival).toBe("go");
  arrive("/memories", 0);
  expect([place.arrival, place.path, place.at]).toEqual(["history", "/memories", 0]);
});

test("a guard that has something to lose is asked before the path changes", () => {
  place.guard(() => true);
  expect(place.go("/queue")).toBe(false);
  expect(place.path).toBe("/memories");
  place.leave();
  expect(place.path).toBe("/queue");
  expect(place.pendingNavigation).toBeUndefined();
});

test("who stays is where they were", () => {
  place.guard(() => true);
  place.go("/queue");
  place.stay();
  expect([place.path, place.pendingNavigation]).toEqual(["/memories", undefined]);
});

test("a change of the query alone asks nobody", () => {
  place.guard(() => true);
  expect(place.go("/memories", new URLSearchParams({ q: "x" }))).toBe(true);
});

test("a guard is asked before a parameter that it names changes", () => {
  place.go("/home", new URLSearchParams({ project: "a" }));
  place.guard(() => true, ["project", "global"]);
  expect(place.go("/home", new URLSearchParams({ project: "a", q: "x" }))).toBe(true);
  expect(place.go("/home", new URLSearchParams({ project: "b" }))).toBe(false);
  expect(place.go("/home")).toBe(false);
});

test("a guard is told where the way leads, and may let it go", () => {
  place.guard((to) => to === "/queue");
  expect(place.go("/agents")).toBe(true);
  expect(place.go("/queue")).toBe(false);
});

test("a guard that ended is not asked", () => {
  const end = place.guard(() => true);
  end();
  expect(place.go("/queue")).toBe(true);
});

test("a step back that would lose something is taken back, and taken anew when it may", () => {
  place.go("/queue");
  place.guard(() => true);
  arrive("/memories", 0);
  expect([place.path, by]).toEqual(["/queue", [1]]);
  arrive("/queue", 1);
  expect(place.path).toBe("/queue");
  place.leave();
  expect(by).toEqual([1, -1]);
  arrive("/memories", 0);
  expect([place.path, place.at]).toEqual(["/memories", 0]);
});

test("the page is held back from closing only while something would be lost", () => {
  const closing = (): boolean => {
    const event = new Event("beforeunload", { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  };
  const end = place.guard(() => true);
  expect(closing()).toBe(true);
  end();
  expect(closing()).toBe(false);
});

test("a step that this page did not number is followed all the same", () => {
  arrive("/memories", undefined);
  expect(place.arrival).toBe("history");
});
