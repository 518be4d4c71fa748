/** The values of a field by which a list can be narrowed. */

export interface Facet {
  readonly value: string;
  readonly label: string;
  /** How many are left with it; undefined while that is not known. */
  readonly count?: number | undefined;
  readonly detail?: string | undefined;
}

/** Those whose words hold every word asked for, whatever case and accents. */
export function matching(values: readonly Facet[], asked: string): readonly Facet[] {
  const words = plain(asked).split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return values;
  return values.filter((facet) => {
    const text = plain(`${facet.label} ${facet.detail ?? ""} ${facet.value}`);
    return words.every((word) => text.includes(word));
  });
}

/** The choice after one value was pressed. */
export function chosenAfter(chosen: readonly string[], value: string, multiple: boolean): readonly string[] {
  if (!multiple) return chosen.includes(value) ? [] : [value];
  return chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
