/** Projects whose directory has moved or may have; kept current. */

import { api, type DetectedMove, type PossibleMove, type ProjectMoves } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { readLocal, writeLocal } from "$lib/state/local-storage";
import { Resource } from "$lib/state/resource.svelte";

const SEEN_KEY = "intaglio.moves-seen";
const INTERVAL_MS = 60_000;
const MOST_SEEN = 100;

export class MovesOfProjects extends Resource<ProjectMoves> {
  protected override readonly pausesHidden = true;
  #seen = $state.raw<readonly string[]>((readLocal(SEEN_KEY) ?? "").split(" "));

  readonly possible = $derived<readonly PossibleMove[]>(this.value?.possible ?? []);
  /** Those that weren't dismissed; one whose former directory is back is shown once more. */
  readonly detected = $derived<readonly DetectedMove[]>((this.value?.detected ?? []).filter((move) => !this.#seen.includes(seenAs(move))));

  protected read(signal: AbortSignal): Promise<ProjectMoves> {
    return api.projectMoves(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "projects" ? 0 : undefined;
  }

  protected override interval(): number {
    return INTERVAL_MS;
  }

  dismiss(move: DetectedMove): void {
    this.#seen = [...this.#seen, seenAs(move)].slice(-MOST_SEEN);
    writeLocal(SEEN_KEY, this.#seen.join(" "));
  }
}

function seenAs({ id, returned }: DetectedMove): string {
  return returned ? `${id}+` : id;
}
