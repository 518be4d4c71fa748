import { expect, it } from "vitest";

import type { HarnessRow } from "$lib/api/client";

import { versionText } from "./agent-details";

const row = (change: Partial<HarnessRow>): HarnessRow => ({ lastEvent: null, drivenVersion: "", ...change }) as HarnessRow;

it.each([
  [undefined, "2.1.330", "… · Intaglio is tested with 2.1.330"],
  ["", "2.1.330", "Not known · Intaglio is tested with 2.1.330"],
  ["1.0", "", "1.0 · Intaglio follows its documentation, but isn’t tested with it"],
])("installed %o, driven %o: %s", (installed, drivenVersion, text) => {
  expect(versionText(row({ drivenVersion }), installed)).toBe(text);
});
