/** What uninstalling would remove; read when it's asked for, because it looks at every agent's settings. */

import { api, type UninstallPreview } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class UninstallResource extends Resource<UninstallPreview> {
  protected read(signal: AbortSignal): Promise<UninstallPreview> {
    return api.uninstallPreview(signal);
  }
}
