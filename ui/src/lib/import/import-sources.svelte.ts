/** What can be imported on this computer, shared by the Import page, Home and the first run. */

import { importApi, type ImportSource, type ImportSources } from "$lib/api/imports";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

import { importListing } from "./import-listing.svelte";

const GATHER_MS = 500;

const NO_SOURCES: readonly never[] = [];

export class ImportableHistory extends Resource<ImportSources> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  /** The daemon looks through the agents' folders for it. */
  protected override readonly spacingMs = 2_000;

  get sources(): readonly ImportSource[] {
    return this.value?.sources ?? NO_SOURCES;
  }

  /** The id of the import that is running. */
  get running(): string | undefined {
    return this.value?.running ?? undefined;
  }

  /** The sessions that aren't imported yet. */
  get sessions(): number {
    return this.sources.reduce((sum, { sessions }) => sum + sessions, 0);
  }

  /** The sources whose sessions are about to be deleted by their agents. */
  get expiring(): readonly ImportSource[] {
    return this.sources.filter(({ expiring }) => expiring > 0);
  }

  protected read(signal: AbortSignal): Promise<ImportSources> {
    return importApi.sources(signal);
  }

  protected override settled(): void {
    importListing.isListed = this.sessions > 0 || this.running !== undefined;
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "imports" || topic === "sources" ? GATHER_MS : undefined;
  }
}

export const importableHistory = new ImportableHistory();
