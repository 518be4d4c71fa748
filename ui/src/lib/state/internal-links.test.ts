import { afterEach, expect, it } from "vitest";

import { followLink, internalTarget } from "./internal-links";
import { router } from "./router.svelte";

function press(href: string, more: MouseEventInit = {}, target = ""): string | undefined {
  const link = document.createElement("a");
  link.setAttribute("href", href);
  link.target = target;
  let led: URL | undefined;
  link.addEventListener("click", (event) => {
    led = internalTarget(event);
    event.preventDefault();
  });
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...more }));
  return led && led.pathname + led.hash;
}

afterEach(() => {
  router.go("/");
});

it("follows a link of the dashboard", () => {
  expect(press("/help/desk#links")).toBe("/help/desk#links");
});

it("follows a link in a drawing, whose href is no text", () => {
  const link = document.createElementNS("http://www.w3.org/2000/svg", "a");
  link.setAttribute("href", "/entities/a");
  const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  link.append(circle);
  let led: URL | undefined;
  link.addEventListener("click", (event) => {
    led = internalTarget(event);
  });
  circle.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  expect(led?.pathname).toBe("/entities/a");
});

it("leaves a file to save to the browser", () => {
  const link = document.createElement("a");
  link.setAttribute("href", "/api/timeline/m-1/export");
  link.download = "timeline.json";
  let led: URL | undefined;
  link.addEventListener("click", (event) => {
    led = internalTarget(event);
    event.preventDefault();
  });
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  expect(led).toBeUndefined();
});

it("leaves a new tab and other sites to the browser", () => {
  expect(press("/queue", { ctrlKey: true })).toBeUndefined();
  expect(press("/queue", { button: 1 })).toBeUndefined();
  expect(press("/queue", {}, "_blank")).toBeUndefined();
  expect(press("https://example.org/queue")).toBeUndefined();
  expect(press("javascript:alert(1)")).toBeUndefined();
});

it("keeps the section and the step of the history", () => {
  const link = document.createElement("a");
  link.href = "/help/desk?q=x#links";
  link.addEventListener("click", followLink);
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  expect([router.path, router.query.get("q"), location.hash]).toEqual(["/help/desk", "x", "#links"]);
  expect(history.state).toEqual({ at: router.at });
});
