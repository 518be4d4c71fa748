/** Decisions on inbox items, each with Undo. */

import { api, type ItemDecision, type SuggestionEdit, type UserAction } from "$lib/api/client";
import { ApiError, asApiError } from "$lib/api/errors";
import { without } from "$lib/components/list/selection";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo, type Undoable } from "$lib/state/undo";

import { bulkAction, kindOf, type Bulk } from "../kinds/registry";
import type { Choice, Kind } from "../kinds/kind";

import { canUndo, decisionText } from "./inbox-text";
import type { InboxPage } from "./inbox-page.svelte";

/** Report an error as a toast; a missing sign-in has its own page. */
export function reportFailure(what: string, thrown: unknown): void {
  const error = asApiError(thrown);
  if (!error.isSignedOut) toasts.add(`${what}: ${error.message}`, { tone: "danger", hint: error.hint });
}

const items = (count: number): string => (count === 1 ? "1 item" : `${count.toLocaleString()} items`);
const sentence = (text: string): string => (/[.!?]$/u.test(text) ? text : `${text}.`);

/** The refusal of the first item that wasn't changed. */
function refusalOf(results: readonly ItemDecision[]): ApiError | undefined {
  for (const { status, error, hint } of results) {
    if (typeof error === "string") {
      return new ApiError(409, { code: status, title: "Not changed", detail: sentence(error), hint: hint ?? "" });
    }
  }
  return undefined;
}

const changedIn = (results: readonly ItemDecision[]): string[] =>
  results.filter(({ error }) => typeof error !== "string").map(({ id }) => id);

export class Decisions {
  readonly #page: InboxPage;
  /** The toast of the last decision. */
  #told = 0;

  constructor(page: InboxPage) {
    this.#page = page;
  }

  /** Decide on the current item as chosen, or open the form to edit it first. */
  async choose(choice: Choice): Promise<void> {
    await (choice.edits === undefined ? this.decide(choice.action, choice.edit) : this.#page.edit(choice));
  }

  /** Decide on the current item; it goes away at once, and comes back if the request fails. */
  async decide(action: UserAction, edit: SuggestionEdit = {}): Promise<void> {
    const page = this.#page;
    const { current: item } = page;
    if (item?.status !== "open" || page.draft !== undefined) return;
    const said = decisionText(item, action);
    page.items.remove([item.id]);
    page.moveOn();
    try {
      await api.decide(item.id, action, edit);
      page.items.confirm([item.id]);
      this.#tell({ text: said, undo: () => this.#undo([item.id]) });
    } catch (thrown) {
      reportFailure("Couldn't decide on the item", thrown);
      await page.items.putBack([item.id]);
    }
  }

  /** Keep the item as edited. */
  async save(): Promise<void> {
    const page = this.#page;
    const { draft } = page;
    if (draft === undefined || draft.isEmpty || draft.saving) return;
    draft.isWarned = false;
    const back = await draft.save();
    if (back === undefined) return;
    const { id } = draft.item;
    const said = decisionText({ kind: draft.item.kind, content: draft.content }, draft.choice.action);
    page.items.remove([id]);
    page.items.confirm([id]);
    page.draft = undefined;
    page.moveOn();
    const undo = async (): Promise<void> => {
      await back();
      await this.#undo([id]);
    };
    this.#tell({ text: said, undo });
  }

  /** Decide on the selected items whose kinds can be decided together; the others stay selected. */
  async decideAll({ name, verb }: Bulk): Promise<void> {
    const page = this.#page;
    if (page.isWorking) return;
    const ids = new Map<UserAction, string[]>();
    const left: Kind[] = [];
    for (const row of page.targets.filter(({ status }) => status === "open")) {
      const kind = kindOf(row);
      const action = bulkAction(kind, name);
      if (action === undefined) left.push(kind);
      else ids.set(action, [...(ids.get(action) ?? []), row.id]);
    }
    const [first] = left;
    const only = first !== undefined && left.every(({ kind }) => kind === first.kind) ? first.plural : undefined;
    const hint =
      left.length === 0
        ? ""
        : `Decide on ${only?.toLowerCase() ?? "the others"} one by one: ${left.length === 1 ? "1 is" : `${left.length.toLocaleString()} are`} still selected.`;
    if (ids.size === 0) {
      if (hint !== "") toasts.add(`${only ?? "These"} can't be ${verb.toLowerCase()} together.`, { hint });
      return;
    }
    await this.#carryOut([...ids], verb, hint);
  }

  async #carryOut(parts: readonly [UserAction, readonly string[]][], verb: string, hint: string): Promise<void> {
    const page = this.#page;
    page.isWorking = true;
    const results: ItemDecision[] = [];
    try {
      for (const [how, part] of parts) results.push(...(await api.decideMany(part, how)));
    } catch (thrown) {
      reportFailure("Couldn't decide on all items", thrown);
    } finally {
      page.isWorking = false;
    }
    this.#tellAll(verb, results, hint);
  }

  /** Report a decision in place of the one before: more would cover the list. */
  #tell(change: Undoable): void {
    toasts.dismiss(this.#told);
    this.#told = offerUndo(change);
  }

  #tellAll(verb: string, results: readonly ItemDecision[], hint: string): void {
    const page = this.#page;
    const changed = changedIn(results);
    const refusal = refusalOf(results);
    page.items.remove(changed);
    page.items.confirm(changed);
    page.selection = without(page.selection, changed);
    const hints = [hint, refusal === undefined ? "" : `${items(results.length - changed.length)} not changed: ${refusal.message}`];
    const words = { text: `${verb} ${items(changed.length)}.`, hint: hints.filter((one) => one !== "").join(" ") };
    if (changed.length > 0) {
      page.moveOn();
      this.#tell({ ...words, undo: () => this.#undo(changed) });
    } else if (refusal !== undefined) {
      toasts.add(refusal.message, { tone: "danger", hint: refusal.hint });
      void page.items.load();
    }
  }

  /** Undo decisions; the first item is current again. Rejects if none could be undone. */
  async #undo(ids: readonly string[]): Promise<void> {
    const page = this.#page;
    const results = await api.undoDecisions(ids);
    const changed = changedIn(results);
    const refusal = refusalOf(results);
    if (refusal !== undefined && changed.length === 0) throw refusal;
    if (refusal !== undefined) {
      toasts.add(`Couldn't undo ${items(results.length - changed.length)}: ${refusal.message}`, { tone: "danger", hint: refusal.hint });
    }
    await page.items.putBack(changed);
    if (page.draft !== undefined || !page.items.rows.some(({ id }) => id === changed[0])) return;
    page.active = changed[0];
    page.moveOn();
  }

  /** In the list of done items: undo the decisions on the selected ones, else on the current one. */
  async undoTargets(): Promise<void> {
    const page = this.#page;
    const ids = page.targets.filter(canUndo).map(({ id }) => id);
    if (ids.length === 0) return;
    try {
      const results = await api.undoDecisions(ids);
      const changed = changedIn(results);
      const refusal = refusalOf(results);
      page.items.remove(changed);
      page.items.confirm(changed);
      page.selection = without(page.selection, changed);
      if (changed.length > 0) {
        const said = `${changed.length === 1 ? "Undone" : `Undid ${items(changed.length)}`}. Open again.`;
        toasts.add(said);
        page.moveOn();
      }
      if (refusal !== undefined) toasts.add(`Couldn't undo: ${refusal.message}`, { tone: "danger", hint: refusal.hint });
    } catch (thrown) {
      reportFailure("Couldn't undo", thrown);
    }
  }
}
