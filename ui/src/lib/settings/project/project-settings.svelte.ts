/** What is set for a project, kept current, and changes of it with their undo. */

import { api, type ProjectSettingRow, type ProjectSettings } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { ChangedSinceError, offerUndo } from "$lib/state/undo";

type Value = ProjectSettingRow["value"];

/** A change that waits for the user's word; null is the general value. */
export interface ProjectSettingConfirmation {
  readonly row: ProjectSettingRow;
  readonly value: Value | null;
  readonly text: string;
}

const GATHER_MS = 300;
const TOPICS: ReadonlySet<string> = new Set(["projects", "commits", "settings"]);

/** A value as it is shown. */
export function shownValue({ choices }: Pick<ProjectSettingRow, "choices">, value: Value): string {
  if (typeof value === "boolean") return value ? "On" : "Off";
  return choices.find((choice) => choice.value === value)?.label ?? String(value);
}

export class ProjectSettingsEdits extends Resource<ProjectSettings, string> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  confirmation = $state.raw<ProjectSettingConfirmation>();
  /** The values that are being saved, by key. */
  pending = $state.raw<Readonly<Record<string, Value>>>({});

  readonly project: string;

  constructor(project: string) {
    super();
    this.project = project;
    this.params = project;
  }

  protected read(signal: AbortSignal, project: string): Promise<ProjectSettings> {
    return api.projectSettings(project, signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return TOPICS.has(topic) ? GATHER_MS : undefined;
  }

  row(key: string): ProjectSettingRow | undefined {
    return this.value?.settings.find((one) => one.key === key);
  }

  shown(row: ProjectSettingRow): Value {
    return this.pending[row.key] ?? row.value;
  }

  /** Set a value for the project; null takes the general one. It is shown at once. */
  async change(row: ProjectSettingRow, value: Value | null, isConfirmed = false): Promise<void> {
    this.pending = { ...this.pending, [row.key]: value ?? row.general };
    try {
      const { settings, undo } = await api.changeProjectSettings(this.project, [{ key: row.key, value }], isConfirmed);
      this.set(settings);
      const made = this.row(row.key)?.value ?? row.general;
      offerUndo({
        text: `${row.label}: ${shownValue(row, made)}${value === null ? ", as for all projects" : " in this project"}.`,
        undo: async () => {
          if (this.row(row.key)?.value !== made) throw new ChangedSinceError();
          this.set((await api.changeProjectSettings(this.project, undo ?? [], true)).settings);
        },
      });
    } catch (thrown) {
      this.#refused(row, value, asApiError(thrown));
    } finally {
      this.pending = Object.fromEntries(Object.entries(this.pending).filter(([key]) => key !== row.key));
    }
  }

  /** Do what was asked about, or leave it. */
  answer(isConfirmed: boolean): void {
    const asked = this.confirmation;
    this.confirmation = undefined;
    if (asked !== undefined && isConfirmed) void this.change(asked.row, asked.value, true);
  }

  #refused(row: ProjectSettingRow, value: Value | null, error: ApiError): void {
    if (error.code === "confirmation_needed") {
      this.confirmation = { row, value, text: row.consequence?.text ?? error.message };
    } else if (!error.isSignedOut) {
      toasts.add(`Couldn't change "${row.label}": ${error.message}`, { hint: error.hint, tone: "danger" });
    }
  }
}
