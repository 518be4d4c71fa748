/** Which dialog of an entity's page is open. */

import type { AttributeRow } from "$lib/api/client";

import type { AspectFacts } from "./open-entity.svelte";

export type EntityDialog =
  | { readonly kind: "edit" | "alias" | "merge" | "split" }
  | { readonly kind: "move"; readonly fact: AttributeRow; readonly aspect: AspectFacts };
