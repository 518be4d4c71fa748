/** Whether the tray app starts when the user logs in. */

import { firstRunApi } from "$lib/api/first-run";
import type { ChangeEvent } from "$lib/api/event-stream";
import { reportFailure } from "$lib/memory/memory-actions";
import { Resource } from "$lib/state/resource.svelte";

export class StartAtLoginSwitch extends Resource<boolean> {
  isSwitching = $state(false);

  async switch(on: boolean): Promise<void> {
    this.isSwitching = true;
    try {
      this.set(await firstRunApi.switchStartAtLogin(on));
    } catch (thrown) {
      reportFailure("Couldn't change start at login", thrown);
    } finally {
      this.isSwitching = false;
    }
  }

  protected read(signal: AbortSignal): Promise<boolean> {
    return firstRunApi.startsAtLogin(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "start-at-login" ? 0 : undefined;
  }
}
