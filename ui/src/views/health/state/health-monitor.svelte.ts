/** The health report, read while the page is shown. */

import { healthApi, type HealthReport } from "$lib/api/health";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 300;
/** A report is computed at most this often. */
const SPACING_MS = 2_000;
export const REFRESH_MS = 5_000;

export class HealthMonitor extends Resource<HealthReport> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;
  protected override readonly pausesHidden = true;

  protected read(signal: AbortSignal): Promise<HealthReport> {
    return healthApi.report(signal);
  }

  protected override delay(): number {
    return GATHER_MS;
  }

  protected override interval(): number {
    return REFRESH_MS;
  }

  /** Refresh now, whatever the last result was. */
  refreshNow(): void {
    void (this.value === undefined ? this.reload() : this.load());
  }
}

export const healthMonitor = new HealthMonitor();
