/** The draft of an item that is edited before it is kept. */

import { api, type InboxRow, type MemoryRow, type SuggestionEdit } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";

import type { Choice } from "../kinds/kind";

const REASON = "edited in the inbox";
const UNDONE = "undone in the dashboard";

export class SuggestionDraft {
  content = $state("");
  type = $state("");
  /** Empty for all projects. */
  project = $state("");
  saving = $state(false);
  error = $state.raw<ApiError>();
  /** The first Esc only warns of unsaved changes. */
  isWarned = $state(false);
  readonly item: InboxRow;
  /** What was chosen: its decision is made once the text is saved. */
  readonly choice: Choice;
  /** The newer memory of a contradiction, as it was before. */
  readonly memory: MemoryRow | undefined;
  readonly isEmpty = $derived(this.content.trim() === "");

  /** Edit a suggestion, or the newest memory that it is about. */
  constructor(item: InboxRow, choice: Choice, memory?: MemoryRow) {
    this.item = item;
    this.choice = choice;
    this.memory = memory;
    const base = memory ?? item;
    this.content = base.content;
    this.type = base.type;
    this.project = base.project ?? "";
  }

  /** The changed fields; only these are sent. */
  get changes(): SuggestionEdit {
    const base = this.memory ?? this.item;
    return {
      ...(this.content === base.content ? {} : { content: this.content }),
      ...(this.type === base.type ? {} : { type: this.type }),
      ...(this.project.trim() === (base.project ?? "") ? {} : { project: this.project.trim() || null }),
    };
  }

  get isDirty(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  /**
   * Keep the edited suggestion, or change the newer memory and keep both. Returns how to undo what
   * was done besides the decision; undefined if that failed, with the reason in `error`.
   */
  async save(): Promise<(() => Promise<void>) | undefined> {
    this.saving = true;
    this.error = undefined;
    try {
      if (this.memory === undefined) {
        await api.decide(this.item.id, this.choice.action, this.changes);
        return () => Promise.resolve();
      }
      const back = await this.#change(this.memory);
      try {
        await api.decide(this.item.id, this.choice.action);
      } catch (thrown) {
        await back().catch(() => undefined);
        throw thrown;
      }
      return back;
    } catch (thrown) {
      this.error = asApiError(thrown);
      return undefined;
    } finally {
      this.saving = false;
    }
  }

  /** Change the memory; returns a function that changes it back. */
  async #change({ id, content, type, project, version }: MemoryRow): Promise<() => Promise<void>> {
    if (!this.isDirty) return () => Promise.resolve();
    const made = await api.modify(id, { ...this.changes, reason: REASON, if_version: version });
    return async () => {
      await api.modify(id, { content, type, project, reason: UNDONE, if_version: made.newVersion });
    };
  }
}
