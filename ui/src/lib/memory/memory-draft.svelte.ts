/** The draft of an edited memory: unsaved changes, saving, and conflicts with other changes. */

import { api, type MemoryRow, type ModifyRequest, type MutationReply } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";

import { tagsOf } from "./rows";

/** `partly`: saved, but the form changed during the request. */
export type SaveOutcome = "saved" | "partly" | "unchanged" | "conflict" | "failed";

const REASON = "edited in the dashboard";

/** What a save changed, and what the memory was before. */
export interface Made {
  readonly before: MemoryRow;
  readonly change: ModifyRequest;
  readonly reply: MutationReply;
}

export class Draft {
  content = $state("");
  type = $state("");
  tags = $state("");
  importance = $state(0);
  pinned = $state(false);
  /** Empty for all projects. */
  project = $state("");
  visibility = $state("global");
  saving = $state(false);
  error = $state.raw<ApiError>();
  /** The newer version, if someone else changed the memory. */
  theirs = $state.raw<MemoryRow>();
  /** The version the draft is based on. */
  base: MemoryRow;
  /** The last save, to be undone. */
  made: Made | undefined;

  constructor(row: MemoryRow) {
    this.base = $state.raw(row);
    this.#start(row);
  }

  #start(row: MemoryRow): void {
    this.base = row;
    this.content = row.content;
    this.type = row.type;
    this.tags = tagsOf(row.tags).join(", ");
    this.importance = row.importance;
    this.pinned = Boolean(row.pinned);
    this.project = row.project ?? "";
    this.visibility = row.visibility;
    this.theirs = undefined;
    this.error = undefined;
  }

  /** The changed fields; only these are sent. */
  get changes(): ModifyRequest {
    const { base } = this;
    const tags = [...tagsOf(this.tags)];
    return {
      reason: REASON,
      ...(this.content === base.content ? {} : { content: this.content }),
      ...(this.type === base.type ? {} : { type: this.type }),
      ...(tags.join() === tagsOf(base.tags).join() ? {} : { tags }),
      ...(this.importance === base.importance ? {} : { importance: this.importance }),
      ...(this.pinned === Boolean(base.pinned) ? {} : { pinned: this.pinned }),
      ...(this.project.trim() === (base.project ?? "") ? {} : { project: this.project.trim() || null }),
      ...(this.visibility === base.visibility ? {} : { visibility: this.visibility }),
    };
  }

  get isDirty(): boolean {
    return Object.keys(this.changes).length > 1;
  }

  get isEmpty(): boolean {
    return this.content.trim() === "";
  }

  /** Take in a reloaded memory: a newer version becomes a conflict if there are unsaved changes. */
  receive(row: MemoryRow): void {
    if (row.version <= this.base.version || this.saving) return;
    if (this.isDirty) this.theirs = row;
    else this.#start(row);
  }

  /** Overwrite the newer version with the draft. */
  async keepMine(): Promise<SaveOutcome> {
    if (this.theirs !== undefined) {
      this.base = this.theirs;
      this.theirs = undefined;
    }
    return this.save();
  }

  takeTheirs(): void {
    if (this.theirs !== undefined) this.#start(this.theirs);
  }

  async save(): Promise<SaveOutcome> {
    if (!this.isDirty) return "unchanged";
    this.saving = true;
    this.error = undefined;
    const form = this.#form;
    const { base: before, changes: change } = this;
    try {
      const reply = await api.modify(before.id, { ...change, if_version: before.version });
      this.made = { before, change, reply };
      if (this.#form === form) return "saved";
      await this.#rebase();
      return "partly";
    } catch (thrown) {
      this.error = asApiError(thrown);
      return this.error.status === 409 ? await this.#compare() : "failed";
    } finally {
      this.saving = false;
    }
  }

  /** The form's values, for comparison. */
  get #form(): string {
    return JSON.stringify([this.content, this.type, this.tags, this.importance, this.pinned, this.project, this.visibility]);
  }

  /** Base the remaining changes on the saved version. */
  async #rebase(): Promise<void> {
    try {
      this.base = await api.memory(this.base.id);
    } catch {
      // The next save will detect the conflict.
    }
  }

  /** After a 409: show the newer version, or keep the error if the version is unchanged. */
  async #compare(): Promise<SaveOutcome> {
    try {
      const row = await api.memory(this.base.id);
      if (row.version === this.base.version) return "failed";
      this.theirs = row;
      this.error = undefined;
      return "conflict";
    } catch (thrown) {
      this.error = asApiError(thrown);
      return "failed";
    }
  }
}
