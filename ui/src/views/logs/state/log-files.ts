/** Copies and saves lines of the log. */

import type { LogRow } from "$lib/api/client";
import { copyText } from "$lib/copy/copy-text";
import { saveFile } from "$lib/copy/save-file";
import { reportFailure } from "$lib/memory/memory-actions";
import { plural } from "$lib/plural";
import { toasts } from "$lib/state/toasts.svelte";

import { lineText, linesText } from "./log-text";
import type { LogsPage } from "./logs-page.svelte";

const MOST_SAVED = 20_000;

export async function copyLine(row: LogRow): Promise<void> {
  await copyText(lineText(row), "Copied the line.");
}

export async function copyLoaded({ items: { rows } }: LogsPage): Promise<void> {
  await copyText(linesText(rows), `Copied ${plural(rows.length, "line", "lines")}.`);
}

/** Save all lines that match the filters, one JSON object each, oldest first. */
export async function saveLines({ items }: LogsPage): Promise<void> {
  try {
    const rows = await items.upTo(MOST_SAVED);
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).reverse();
    saveFile("intaglio-log.jsonl", new Blob(lines, { type: "application/jsonl" }));
    toasts.add(`Saved ${plural(rows.length, "line", "lines")}.`);
  } catch (thrown) {
    reportFailure("Couldn't save the log", thrown);
  }
}
