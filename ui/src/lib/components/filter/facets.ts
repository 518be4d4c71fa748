/** The values of a field to filter by. */

export interface Facet {
  readonly value: string;
  readonly label: string;
  /** The number of matches; undefined while unknown. */
  readonly count?: number | undefined;
  readonly detail?: string | undefined;
}

/** The values that contain every word of the query, ignoring case and accents. */
export function matching(values: readonly Facet[], query: string): readonly Facet[] {
  const words = normalize(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return values;
  return values.filter((facet) => {
    const text = normalize(`${facet.label} ${facet.detail ?? ""} ${facet.value}`);
    return words.every((word) => text.includes(word));
  });
}

/** The selection after a value was clicked. */
export function chosenAfter(chosen: readonly string[], value: string, multiple: boolean): readonly string[] {
  if (!multiple) return chosen.includes(value) ? [] : [value];
  return chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
}

function normalize(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
