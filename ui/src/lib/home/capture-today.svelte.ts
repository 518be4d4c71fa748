/** What capture did today, and how often it is right; kept current. */

import { api, type CapturedSince, type CapturePrecision } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 1_000;

interface CaptureNews {
  readonly today: CapturedSince;
  readonly precision: CapturePrecision;
}

/** The beginning of the day in the user's time zone, as the daemon writes times. */
export function dayBegin(now: number): string {
  return new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
}

export class CaptureToday extends Resource<CaptureNews> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;

  protected async read(signal: AbortSignal): Promise<CaptureNews> {
    const [today, precision] = await Promise.all([api.captured(dayBegin(Date.now()), signal), api.capturePrecision(signal)]);
    return { today, precision };
  }

  /** A harness is updated by each event of a session. */
  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" || topic === "inbox" || topic === "harnesses" ? GATHER_MS : undefined;
  }
}

/** How many of the latest lines were mistakes, in words; undefined if too few say anything. */
export function precisionText({ lines, forgotten, edited }: CapturePrecision): string | undefined {
  if (lines === 0) return undefined;
  const wrong = forgotten + edited;
  const which = lines === 1 ? "The latest memory that was" : `Of the latest ${String(lines)} memories that were`;
  if (lines === 1) return `${which} saved without asking was ${wrong === 0 ? "kept as it is" : "forgotten or rewritten"}.`;
  return `${which} saved without asking, you forgot or rewrote ${wrong === 0 ? "none" : String(wrong)}.`;
}
