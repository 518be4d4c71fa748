/** What the Connections view says of an agent, as text. */

import type { HarnessRow } from "$lib/api/client";

/** The installed version (undefined while it is looked up), and the one that the tests drive. */
export function versionText({ drivenVersion }: HarnessRow, installed: string | undefined): string {
  const own = installed === undefined ? "…" : installed === "" ? "Not known" : installed;
  const tests =
    drivenVersion === "" ? "Intaglio follows its documentation, but isn’t tested with it" : `Intaglio is tested with ${drivenVersion}`;
  return `${own} · ${tests}`;
}
