/** The configured language models: their states, agreeing to one, and trying one. */

import { api, type DetectedModels, type ModelRow, type ModelsReply, type ModelTestReply } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";

const GATHER_MS = 300;
const SPACING_MS = 1_500;

export class LanguageModels extends Resource<ModelsReply> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  /** Each call of a model sends a change event. */
  protected override readonly spacingMs = SPACING_MS;

  /** What the last try found, and of which role. */
  report = $state.raw<ModelTestReply>();
  /** Why the last try couldn't be made. */
  refusal = $state.raw<ApiError>();
  detected = $state.raw<DetectedModels>();
  /** What the user is waiting for. */
  working = $state<"test" | "confirm" | "detect">();

  protected async read(signal: AbortSignal): Promise<ModelsReply> {
    return api.models(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return ["models", "settings", "capture"].includes(topic) ? GATHER_MS : undefined;
  }

  /** The models that differ: both roles usually have the same one. */
  get distinct(): readonly ModelRow[] {
    const rows = this.value?.models ?? [];
    const [first, ...others] = rows;
    if (first === undefined) return [];
    return [first, ...others.filter((row) => row.state !== "off" && !isSame(row, first))];
  }

  async test(role: ModelRow["role"]): Promise<void> {
    await this.#work("test", async () => {
      this.report = undefined;
      this.report = await api.testModel(role);
    });
  }

  async confirm(row: ModelRow): Promise<void> {
    await this.#work("confirm", async () => {
      this.value = await api.confirmModel(row);
      toasts.add(`${row.title} is asked from now on.`);
    });
  }

  async detect(): Promise<void> {
    await this.#work("detect", async () => {
      this.detected = await api.detectModels();
    });
  }

  async #work(what: "test" | "confirm" | "detect", run: () => Promise<void>): Promise<void> {
    this.working = what;
    this.refusal = undefined;
    try {
      await run();
    } catch (thrown) {
      this.refusal = asApiError(thrown);
    } finally {
      this.working = undefined;
    }
    await this.reload();
  }
}

function isSame(one: ModelRow, other: ModelRow): boolean {
  return one.provider === other.provider && one.model === other.model && one.address === other.address;
}
