/** The choices of the filter menu: fields, values of a field, or matches of the typed text. */

import type { FacetsReply } from "$lib/api/client";
import { STATUSES, type Status, type Visibility } from "$lib/memory/filter-table";
import { BANDS, filtersOf, MENU_FIELDS, WHEN, type Band, type FieldName, type FilterSet, type When } from "$lib/memory/filters";

import { LABELS, valueName } from "./filter-chips";
import type { SavedFilter } from "./saved-filters.svelte";

export type Choice =
  | { readonly kind: "field"; readonly field: FieldName; readonly label: string; readonly detail: string }
  | {
      readonly kind: "value";
      readonly field: FieldName;
      readonly value: string | null;
      readonly label: string;
      readonly detail: string;
      readonly count: number | undefined;
      readonly isOn: boolean;
    }
  | { readonly kind: "days"; readonly label: string }
  | { readonly kind: "saved"; readonly label: string; readonly query: string }
  | { readonly kind: "save" | "manage" | "clear"; readonly label: string };

export interface FilterContext {
  readonly view: FilterSet;
  readonly facets: FacetsReply["facets"] | undefined;
  readonly spans?: ReadonlyMap<When, number> | undefined;
  readonly saved: readonly SavedFilter[];
  /** Whether there are filters or a search to save. */
  readonly canSave: boolean;
  readonly agentName: (id: string) => string;
}

type Value = Extract<Choice, { kind: "value" }>;

type MenuField = (typeof MENU_FIELDS)[number];
/** Other fields are set elsewhere; the session, for example, in a memory's details. */
const isMenuField = (field: FieldName): field is MenuField => (MENU_FIELDS as readonly FieldName[]).includes(field);

const MOST_FOUND = 50;

interface Counted {
  readonly value: string | null;
  readonly count: number | undefined;
}

/** Each tenth of the scale counts for the band that it starts in. */
function bandCounts(tenths: readonly { readonly value: number; readonly count: number }[] | undefined): Counted[] {
  return (Object.keys(BANDS) as Band[]).map((band) => {
    const { min = 0, max = 1 } = BANDS[band];
    const inBand = tenths?.filter(({ value }) => value >= min - 1e-9 && value <= max);
    return { value: band, count: inBand?.reduce((sum, { count }) => sum + count, 0) };
  });
}

function countedOf(field: MenuField, { facets, spans }: Pick<FilterContext, "facets" | "spans">): readonly Counted[] {
  switch (field) {
    case "pinned":
      return [true, false].map((value) => ({
        value: String(value),
        count: facets && (facets.pinned.find((one) => one.value === value)?.count ?? 0),
      }));
    case "importance":
      return bandCounts(facets?.importance);
    case "when":
      return WHEN.map((value) => ({ value, count: spans?.get(value) }));
    case "status":
      return STATUSES.map((value) => ({ value, count: undefined }));
    case "source":
      return facets?.source_type ?? [];
    case "type":
    case "project":
    case "agent":
    case "visibility":
    case "who":
    case "tags":
      return facets?.[field] ?? [];
  }
}

/** The active values of a field. */
function activeValues(view: FilterSet, field: MenuField): readonly (string | null)[] {
  if (field === "tags") return view.tags ?? [];
  const value = view[field];
  return value === undefined ? [] : [value === null ? null : String(value)];
}

function valuesOf(field: MenuField, offer: FilterContext): readonly Value[] {
  const on = activeValues(offer.view, field);
  const counted = countedOf(field, offer);
  // Active values are always listed, so that they can be removed.
  const missing = on.filter((value) => !counted.some((one) => one.value === value));
  return [...missing.map((value) => ({ value, count: undefined })), ...counted].map(({ value, count }) => {
    const label = valueName(field, value, offer.agentName);
    const detail = value === null || value === label || !["project", "agent"].includes(field) ? "" : value;
    return { kind: "value", field, value, label, detail, count, isOn: on.includes(value) };
  });
}

function holds(text: string, words: readonly string[]): boolean {
  const low = text.toLocaleLowerCase();
  return words.every((word) => low.includes(word));
}

const wordsOf = (typed: string): string[] =>
  typed
    .toLocaleLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");

/** The choices for the open field (undefined: all fields), narrowed by the typed text. */
export function choicesOf(typed: string, field: FieldName | undefined, offer: FilterContext): readonly Choice[] {
  const words = wordsOf(typed);
  if (field !== undefined && isMenuField(field)) {
    const values = valuesOf(field, offer).filter((one) => holds(`${one.label} ${one.detail}`, words));
    return field === "when" && words.length === 0 ? [...values, { kind: "days", label: "Custom range…" }] : values;
  }
  const fields = MENU_FIELDS.map((one): Choice => {
    const detail = valuesOf(one, offer)
      .filter((value) => value.isOn)
      .map((value) => value.label)
      .join(", ");
    return { kind: "field", field: one, label: LABELS[one], detail };
  });
  const savedChoices = offer.saved.map((one): Choice => ({ kind: "saved", label: one.name, query: one.query }));
  if (words.length === 0) {
    const isFiltered = Object.values(filtersOf(offer.view)).some((value) => value !== undefined);
    return [
      ...fields,
      ...savedChoices,
      ...(offer.canSave ? [{ kind: "save", label: "Save filter…" } as const] : []),
      ...(savedChoices.length > 0 ? [{ kind: "manage", label: "Manage saved filters…" } as const] : []),
      ...(isFiltered ? [{ kind: "clear", label: "Clear all filters" } as const] : []),
    ];
  }
  const values = MENU_FIELDS.flatMap((one) =>
    valuesOf(one, offer).filter((value) => holds(`${LABELS[one]} ${value.label} ${value.detail}`, words)),
  );
  const named = [...fields, ...savedChoices].filter((one) => holds(one.label, words));
  return [...named, ...values].slice(0, MOST_FOUND);
}

/** The filter change of choosing a value: toggles it. */
export function filterChange(view: FilterSet, { field, value, isOn }: Pick<Value, "field" | "value" | "isOn">): FilterSet {
  if (!isMenuField(field)) return { [field]: isOn || value === null ? undefined : value };
  switch (field) {
    case "tags": {
      const others = (view.tags ?? []).filter((tag) => tag !== value);
      const tags = isOn || value === null ? others : [...others, value];
      return { tags: tags.length === 0 ? undefined : tags };
    }
    case "when":
      return { when: isOn ? undefined : (value as When), from: undefined, to: undefined };
    case "pinned":
      return { pinned: isOn ? undefined : value === "true" };
    case "importance":
      return { importance: isOn ? undefined : (value as Band) };
    case "visibility":
      return { visibility: isOn ? undefined : (value as Visibility) };
    case "status":
      return { status: isOn ? undefined : (value as Status) };
    case "project":
      return { project: isOn ? undefined : value };
    case "type":
    case "agent":
    case "who":
    case "source":
      return { [field]: isOn ? undefined : value };
  }
}
