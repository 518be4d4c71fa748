/** Why a line is told or left out, as a sentence. */

import type { PreviewLine } from "$lib/api/client";

export function sentenceOf({ reason }: PreviewLine): string {
  return `${reason.charAt(0).toLocaleUpperCase()}${reason.slice(1)}.`;
}
