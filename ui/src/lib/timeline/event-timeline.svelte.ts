/** The timeline of a memory, an entity, a session or a request. */

import { timelineCalls, type EventTimeline } from "$lib/api/timeline";
import { Resource } from "$lib/state/resource.svelte";

export class EventTimelines extends Resource<EventTimeline, string> {
  protected read(signal: AbortSignal, id: string): Promise<EventTimeline> {
    return timelineCalls.timeline(id, signal);
  }

  override handleChange(): void {
    // What happens meanwhile is shown when it is opened again.
  }
}
