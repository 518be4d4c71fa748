import { expect, test } from "vitest";

import { timeOf, timeQuery } from "./time-query";
import { NOW, type TimeView } from "./time-view";

test.each<TimeView>([
  NOW,
  { kind: "created", from: 20_500, to: 20_510 },
  { kind: "asOf", day: 20_500 },
  { kind: "difference", from: 20_500, to: 20_510 },
])("$kind survives the address", (view) => {
  expect(timeOf(new URLSearchParams(timeQuery(view)))).toEqual(view);
});

test.each(["asOf=2026-02-30", "asOf=yesterday", "from=2026-01-01", "since=2026-01-01", "asOf=1e9"])("%s counts as now", (query) => {
  expect(timeOf(new URLSearchParams(query))).toEqual(NOW);
});

test("days in the wrong order are turned", () => {
  const turned = timeOf(new URLSearchParams("since=2026-03-02&asOf=2026-03-01"));
  expect(timeQuery(turned)).toEqual({ since: "2026-03-01", asOf: "2026-03-02" });
});
