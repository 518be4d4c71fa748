import { expect, test } from "vitest";

import { daysText, queryOf, SESSION_URL } from "./session-filters";

const { isFiltered, none: NO_FILTERS, read: readFilters, write: writeFilters } = SESSION_URL;

const NOON = new Date(2026, 10, 23, 12).getTime();

test("filters are the same after a round trip through the URL", () => {
  for (const query of [
    "",
    "q=why+celery&project=%2Fwork%2Fshop&harness=claude-code&agent=ann&when=yesterday&memory=m1",
    "global=1",
    "from=2026-11-20&to=2026-11-22",
  ]) {
    expect(writeFilters(readFilters(new URLSearchParams(query))).toString()).toBe(query);
  }
  expect(readFilters(new URLSearchParams("when=never&project=&from=yesterday&to=2026-13-45"))).toEqual(NO_FILTERS);
  expect(isFiltered(NO_FILTERS)).toBe(false);
  expect(isFiltered(readFilters(new URLSearchParams("global=1")))).toBe(true);
});

test("yesterday is the whole day before in the user's time zone", () => {
  const { since, until } = queryOf({ ...NO_FILTERS, when: "yesterday" }, NOON);
  expect(since).toBe(new Date(2026, 10, 22).toISOString());
  expect(until).toBe(new Date(2026, 10, 22, 23, 59, 59, 999).toISOString());
  expect(queryOf({ ...NO_FILTERS, when: "week" }, NOON)).toMatchObject({ since: new Date(2026, 10, 17).toISOString(), until: undefined });
});

test("sessions without a project are asked for by a parameter of their own", () => {
  expect(queryOf({ ...NO_FILTERS, project: null }, NOON)).toMatchObject({ globalOnly: true, project: undefined });
});

test("days are whole ones, and either end may be open", () => {
  const range = queryOf({ ...NO_FILTERS, from: "2026-11-20", to: "2026-11-22" }, NOON);
  expect([range.since, range.until]).toEqual([new Date(2026, 10, 20).toISOString(), new Date(2026, 10, 22, 23, 59, 59, 999).toISOString()]);
  expect(queryOf({ ...NO_FILTERS, from: "2026-11-20" }, NOON)).toMatchObject({ until: undefined });
  const names = [
    { from: "2026-11-20", to: "2026-11-20" },
    { from: undefined, to: undefined },
  ].map(daysText);
  expect(names[0]).toContain("2026");
  expect(names[1]).toBe("");
});
