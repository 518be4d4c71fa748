import { expect, test } from "vitest";

import { VIEWS } from "../routes";
import { HELP, helpFor } from "./help";

test("every view of the rail has its page of Help, but Help itself", () => {
  const views = VIEWS.map((view) => view.path).filter((path) => path !== "/help");
  expect(Object.keys(HELP).sort()).toEqual(views.sort());
});

test("a view without a page has no address", () => {
  expect(helpFor("/status")).toBe("/help/status");
  expect(helpFor("/gallery")).toBeUndefined();
});
