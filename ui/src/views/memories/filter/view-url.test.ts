import { expect, test, vi } from "vitest";

import { queryOf, NO_FILTERS, hasFilters, PLAIN, type FilterSet, type PlainValue } from "$lib/memory/filters";
import type * as Table from "$lib/memory/filter-table";

import { NEWEST } from "../list/arrangement.svelte";
import { readView, writeView, type View } from "./view-url";
import { chipsOf } from "./filter-chips";

/** Filters that the dashboard has no word for, one of each kind. */
const EXTRA = vi.hoisted(() =>
  (["text", "path", "flag", "share", "moment", "tags", "visibility", "status"] as const).map((kind) => ({
    name: `extra_${kind}`,
    parameter: `extra-${kind}`,
    kind,
    label: `Extra ${kind}`,
  })),
);
vi.mock("$lib/memory/filter-table", async (original) => {
  const table = await original<typeof Table>();
  return { ...table, FILTERS: [...table.FILTERS, ...EXTRA] };
});

/** A value of each kind, as it is asked, and as its chip shows it. */
const SAMPLES: Record<Table.Kind, readonly [value: PlainValue, asked: unknown, shown: string]> = {
  text: ["a&b=c", "a&b=c", "a&b=c"],
  path: ["C:\\x#1", "C:\\x#1", "C:\\x#1"],
  flag: [false, false, "Not extra flag"],
  share: [0, 0, "0"],
  moment: ["2026-11-20T00:00:00.000Z", "2026-11-20T00:00:00.000Z", "2026-11-20T00:00:00.000Z"],
  tags: [["a b"], "a b", "a b"],
  visibility: ["private", "private", "Only its agent"],
  status: ["replaced", "replaced", "Replaced"],
};

const VIEW: View = { ...NO_FILTERS, ...NEWEST, q: "", id: undefined };

function round(view: View): View {
  const { path, query } = writeView(view);
  return readView(path, new URLSearchParams(query.toString()));
}

/** Every field with values that tempt an address: reserved signs, other scripts, what looks like another field. */
const VALUES: Partial<Record<keyof FilterSet, readonly FilterSet[]>> = {
  type: [{ type: "rule" }, { type: "a&b=c" }],
  project: [{ project: "/home/me/my ring" }, { project: null }, { project: "noproject" }, { project: "C:\\x#1" }],
  agent: [{ agent: "agent-3" }],
  visibility: [{ visibility: "global" }, { visibility: "private" }],
  who: [{ who: "שלום +1" }],
  tags: [{ tags: ["db"] }, { tags: ["a b", "c&tag=d", "😀"] }],
  source: [{ source: "manual" }],
  pinned: [{ pinned: true }, { pinned: false }],
  status: [{ status: "current" }, { status: "disputed" }],
  importance: [{ importance: "high" }, { importance: "medium" }, { importance: "low" }],
  when: [{ when: "today" }, { when: "week" }, { when: "month" }],
  from: [{ from: "2026-11-01" }],
  to: [{ from: "2026-11-01", to: "2026-11-20" }, { to: "2026-11-20" }],
  session: [{ session: "s/1?x#y" }],
};
const OTHERS = PLAIN.filter(({ name }) => VALUES[name] === undefined).map(({ name, kind }): FilterSet => ({ [name]: SAMPLES[kind][0] }));
const ALL = [...Object.values(VALUES).flat(), ...OTHERS];
const PAIRS = ALL.flatMap((one) => ALL.map((other) => ({ ...one, ...other })));

test.each<View>([
  VIEW,
  { ...VIEW, q: "why & how? 100%", type: "rule", project: "/home/me/my ring", pinned: true },
  { ...VIEW, id: "0193/…?#" },
])("a view comes back from its address", (view) => {
  expect(round(view)).toEqual(view);
});

test("any two filters come back from the address together", () => {
  for (const pair of PAIRS) {
    const view: View = { ...VIEW, ...pair, q: "q" };
    // Days of the calendar stand in the place of the last days.
    const days = view.from !== undefined || view.to !== undefined;
    expect(round(view)).toEqual(days ? { ...view, when: undefined } : view);
  }
});

test.each(EXTRA)(
  "a filter of the table without a word here is asked, and has a chip and an address: $kind",
  ({ name, parameter, kind, label }) => {
    const [value, parameterValue, shown] = SAMPLES[kind];
    const view = { ...VIEW, [name]: value };
    expect(queryOf(view, 0)).toMatchObject({ [parameter]: parameterValue });
    expect(round(view)).toEqual(view);
    expect(chipsOf(view, (id) => id)).toMatchObject([{ field: name, label, value: shown }]);
  },
);

test("taking every chip away, one after the other, leaves no filter", () => {
  for (const pair of PAIRS) {
    let view: View = { ...VIEW, ...pair };
    for (let left = 20; left > 0; left -= 1) {
      const [chip] = chipsOf(view, (id) => id);
      if (chip === undefined) break;
      view = round({ ...view, ...chip.without });
    }
    expect(hasFilters(view)).toBe(false);
    expect(writeView(view).query.toString()).toBe("");
  }
});

test("a chip stands for each tag and goes alone", () => {
  const chips = chipsOf({ tags: ["a", "b"] }, (id) => id);
  expect(chips.map((chip) => chip.value)).toEqual(["a", "b"]);
  expect(chips[0]?.without).toEqual({ tags: ["b"] });
});

test("nothing is written that is not set", () => {
  expect(writeView(VIEW).query.toString()).toBe("");
});

test("a broken address shows the list", () => {
  expect(readView("/memories/%E0%A4%A", new URLSearchParams())).toEqual(VIEW);
  const odd = "pinned=maybe&visibility=x&status=gone&importance=toString&when=never&from=yesterday&tag=&type=";
  expect(readView("/", new URLSearchParams(odd))).toEqual(VIEW);
});

test("a search alone is no filter", () => {
  expect(hasFilters({ ...VIEW, q: "ring" } as FilterSet)).toBe(false);
  expect(hasFilters({ ...VIEW, pinned: false })).toBe(true);
});
