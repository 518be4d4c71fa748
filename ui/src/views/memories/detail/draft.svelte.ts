/** A memory while someone edits it: what they changed, and what happened to it meanwhile. */

import { api, type MemoryRow, type ModifyRequest, type MutationReply } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";

import { tagsOf } from "$lib/memory/rows";

/** `partly`: saved as it was sent, but changed in the form meanwhile. */
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
  /** Empty for everywhere. */
  project = $state("");
  visibility = $state("global");
  saving = $state(false);
  error = $state.raw<ApiError>();
  /** The newer one, where somebody else changed it meanwhile. */
  theirs = $state.raw<MemoryRow>();
  /** What the draft started from. */
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

  /** Only what differs from the start; nothing else is sent. */
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

  /** The stored memory was read anew: a newer version is shown before anything is lost. */
  receive(row: MemoryRow): void {
    if (row.version <= this.base.version || this.saving) return;
    if (this.isDirty) this.theirs = row;
    else this.#start(row);
  }

  /** Save over the version that was shown. */
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

  /** All that the form says, to compare. */
  get #form(): string {
    return JSON.stringify([this.content, this.type, this.tags, this.importance, this.pinned, this.project, this.visibility]);
  }

  /** What was saved is what the rest of the changes starts from. */
  async #rebase(): Promise<void> {
    try {
      this.base = await api.memory(this.base.id);
    } catch {
      // The next save finds that it starts from an old one, and shows both.
    }
  }

  /** A refusal for a conflict: newer text is shown; another cause stays the error that it is. */
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
