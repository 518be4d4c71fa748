/** The copies of the database, read from the daemon. */

import { api, type BackupList } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class Copies extends Resource<BackupList> {
  protected read(signal: AbortSignal): Promise<BackupList> {
    return api.copies(signal);
  }
}
