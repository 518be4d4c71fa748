/** What the next session would be told now and with other values of settings, kept current. */

import { api, type PreviewReply } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

export type TriedValues = Readonly<Record<string, boolean | number | string | null>>;

interface SimulatedSession {
  readonly now: PreviewReply;
  readonly then: PreviewReply;
}

interface SimulationQuestion {
  readonly project: string | null;
  /** Undefined: the agent of the project's last session. */
  readonly harness: string | undefined;
  readonly prompt: string | undefined;
  readonly settings: TriedValues;
}

const GATHER_MS = 300;
const TYPING_MS = 400;

export class Simulation extends Resource<SimulatedSession, SimulationQuestion> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;

  constructor(project: string | null, settings: TriedValues) {
    super();
    this.params = { project, harness: undefined, prompt: undefined, settings };
  }

  protected async read(signal: AbortSignal, question: SimulationQuestion): Promise<SimulatedSession> {
    const { settings, ...asked } = question;
    const now = api.simulate(asked, signal);
    if (Object.keys(settings).length === 0) return { now: await now, then: await now };
    const [before, then] = await Promise.all([now, api.simulate(question, signal)]);
    return { now: before, then };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" || topic === "settings" || topic === "projects" ? GATHER_MS : undefined;
  }

  /** Ask for something else, once the user stops typing. */
  change(part: Partial<SimulationQuestion>): void {
    const params = { project: null, harness: undefined, prompt: undefined, settings: {}, ...this.params, ...part };
    const isSame = JSON.stringify(params) === JSON.stringify(this.params);
    if (!isSame) this.ask(params, TYPING_MS);
  }
}
