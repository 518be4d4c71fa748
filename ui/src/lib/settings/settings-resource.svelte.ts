/** The settings as the daemon has them, read again when they or the file change. */

import { api, type SettingsReply } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

export class SettingsResource extends Resource<SettingsReply> {
  /** A page that becomes visible again reads what was edited meanwhile. */
  protected override readonly pausesHidden = true;

  protected read(signal: AbortSignal): Promise<SettingsReply> {
    return api.settings(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "settings" ? 0 : undefined;
  }
}
