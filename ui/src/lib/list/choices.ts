/** The choices of filters that several lists have. */

import { projectName } from "$lib/memory/types";

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** The chosen value stays in the menu, even if nothing else has it. */
export function withChosen(values: readonly string[], chosen: string | null | undefined): readonly string[] {
  return typeof chosen === "string" && !values.includes(chosen) ? [chosen, ...values] : values;
}

export function projectChoices(
  projects: readonly { readonly key: string; readonly name: string }[],
  chosen: string | null | undefined,
): Choice[] {
  return withChosen(
    projects.map(({ key }) => key),
    chosen,
  ).map((value) => {
    const label = projects.find(({ key }) => key === value)?.name ?? projectName(value);
    return { value, label, detail: value === label ? undefined : value };
  });
}
