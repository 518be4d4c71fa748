/** Saves what the map shows as files. */

import { saveFile } from "$lib/copy/save-file";
import { reportFailure } from "$lib/memory/memory-actions";

import { selectionJson } from "../list/selection-export";
import type { ConstellationPage } from "./constellation-page.svelte";

const NAME = "intaglio-constellation";

export async function saveMapPicture({ renderer }: ConstellationPage): Promise<void> {
  if (renderer === undefined) return;
  try {
    saveFile(`${NAME}.png`, await renderer.picture());
  } catch (thrown) {
    reportFailure("Couldn't save the picture", thrown);
  }
}

/** Save the selected memories, or those that are shown if none are. */
export async function saveMemories({ data, job, selection }: ConstellationPage): Promise<void> {
  const { map } = data;
  if (map === undefined) return;
  const indexes = selection.orShown;
  try {
    const json = await job.collect("Saving", indexes.length, (signal, onprogress) => selectionJson(map, indexes, onprogress, signal));
    if (json !== undefined) saveFile(`${NAME}.json`, new Blob([json], { type: "application/json" }));
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) reportFailure("Couldn't save the memories", thrown);
  }
}
