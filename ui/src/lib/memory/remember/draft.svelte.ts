/** The draft of a new memory, and the result of saving it. */

import { api } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";

import { forgetNew } from "../memory-undo";
import { ALL_PROJECTS, projectName } from "../types";

export interface Saved {
  readonly id: string;
  readonly text: string;
  readonly hint: string;
  /** Undo the save; undefined if the memory already existed. */
  readonly undo: (() => Promise<void>) | undefined;
}

export class RememberDraft {
  content = $state("");
  /** A folder or a name; empty for all projects. */
  project = $state("");
  /** Empty: the daemon chooses by the text. */
  type = $state("");
  tags = $state("");
  pinned = $state(false);
  saving = $state(false);
  error = $state.raw<ApiError>();
  readonly isEmpty = $derived(this.content.trim() === "");
  /** Where it is saved, as text. */
  readonly scope = $derived(this.project.trim() === "" ? ALL_PROJECTS : projectName(this.project.trim()));

  constructor(project: string | undefined) {
    this.project = project ?? "";
  }

  /** Save it; undefined if that fails, with the reason in `error`. */
  async save(): Promise<Saved | undefined> {
    const { content, type, scope } = this;
    const project = this.project.trim();
    this.saving = true;
    this.error = undefined;
    const chosen = { project, type, tags: this.tags.trim(), pinned: this.pinned || undefined };
    try {
      const { id, pinned, deduped = false, redacted = 0 } = await api.remember(content, chosen);
      const hints: string[] = [];
      const isMore = chosen.type !== "" || chosen.tags !== "" || chosen.pinned === true;
      if (deduped && isMore) hints.push("Its type, tags and pin stay as they were.");
      if (redacted > 0)
        hints.push(`${redacted === 1 ? "A secret was" : `${redacted.toLocaleString()} secrets were`} removed from the text.`);
      const where = project === "" ? "all projects" : scope;
      return {
        id,
        text: deduped ? "Already saved." : `Saved for ${where}.`,
        hint: hints.join(" "),
        undo: deduped ? undefined : () => forgetNew(id, pinned),
      };
    } catch (thrown) {
      this.error = asApiError(thrown);
      return undefined;
    } finally {
      this.saving = false;
    }
  }
}
