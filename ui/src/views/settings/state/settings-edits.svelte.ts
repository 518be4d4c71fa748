/** Changes of settings: what is typed, what is being saved, what was refused, and how to take it back. */

import { SvelteMap } from "svelte/reactivity";

import { api, type SettingChange, type SettingRow, type SettingsReply, type SettingValue } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";
import { ChangedSinceError, offerUndo } from "$lib/state/undo";

import { mustConfirm, shownValue } from "$lib/settings/entries";
import { readTyped, stepped } from "./validation";

/** What was typed and isn't saved, and the value that was there when it was begun. */
interface Draft {
  readonly text: string;
  readonly base: SettingValue;
}

/** A new value of a setting; null is its default. */
export interface Change {
  readonly row: SettingRow;
  readonly value: SettingValue | null;
}

/** Changes that wait for the user's word. */
export interface Confirmation {
  readonly changes: readonly Change[];
  readonly text: string;
}

/** The last change of a setting, while its undo is offered. */
interface Offer {
  readonly toast: number;
  readonly isStep: boolean;
  readonly undo: SettingChange[];
}

/** Steps in quick succession are saved once. */
const STEP_MS = 500;

export class SettingsEdits {
  /** What is typed, by key. */
  readonly drafts = new SvelteMap<string, Draft>();
  /** What is being saved, by key; null for the default. */
  readonly pending = new SvelteMap<string, SettingValue | null>();
  /** Why the daemon refused a value, by key. */
  readonly refusals = new SvelteMap<string, string>();
  /** The labels of changed settings that need a restart, by key. */
  readonly awaitsRestart = new SvelteMap<string, string>();
  confirmation = $state.raw<Confirmation>();
  /** Changes are tried: they stay here until all of them are saved or discarded. */
  isTrying = $state(false);

  readonly #take: (reply: SettingsReply) => void;
  readonly #nameOf: (row: SettingRow) => string;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #queue: Promise<unknown> = Promise.resolve();
  /** By the key of the first setting that was changed. */
  readonly #offers = new Map<string, Offer>();
  #now: () => SettingsReply | undefined;

  /** `take` gets the settings after each change; `nameOf` is what messages call a setting. */
  constructor(now: () => SettingsReply | undefined, take: (reply: SettingsReply) => void, nameOf: (row: SettingRow) => string) {
    this.#now = now;
    this.#take = take;
    this.#nameOf = nameOf;
  }

  /** The value that is shown: the one being saved or tried, else the one in use. */
  value(row: SettingRow): SettingValue {
    const pending = this.pending.get(row.key);
    if (pending !== undefined) return pending ?? row.default;
    return (this.isTrying ? this.#typed(row) : undefined) ?? row.value;
  }

  /** What is typed, if it is valid. */
  #typed(row: SettingRow): SettingValue | undefined {
    const draft = this.drafts.get(row.key);
    const reading = draft === undefined ? undefined : readTyped(row, draft.text);
    return reading !== undefined && "value" in reading ? reading.value : undefined;
  }

  /** The text in the field. */
  text(row: SettingRow): string {
    return this.drafts.get(row.key)?.text ?? (row.secret ? "" : String(this.value(row)));
  }

  /** What is wrong with the text, or with the value that was refused; undefined if nothing is. */
  error(row: SettingRow): string | undefined {
    const refusal = this.refusals.get(row.key);
    if (refusal !== undefined) return refusal;
    const draft = this.drafts.get(row.key);
    const reading = draft === undefined ? undefined : readTyped(row, draft.text);
    return reading !== undefined && "error" in reading ? reading.error : undefined;
  }

  /** The value that came from elsewhere while another one is typed here; undefined if it is as it was. */
  overtaken(row: SettingRow): SettingValue | undefined {
    const draft = this.drafts.get(row.key);
    return draft !== undefined && !this.pending.has(row.key) && draft.base !== row.value ? row.value : undefined;
  }

  /** The values that aren't in use yet: typed ones that are valid, and those being saved. */
  values(rows: readonly SettingRow[]): Record<string, SettingValue> {
    const values: Record<string, SettingValue> = {};
    for (const row of rows) {
      const typed = row.secret ? undefined : this.#typed(row);
      if (typed !== undefined) values[row.key] = typed;
      else if (this.pending.has(row.key)) values[row.key] = this.value(row);
    }
    return values;
  }

  type(row: SettingRow, text: string): void {
    this.#stopTimer(row.key);
    this.refusals.delete(row.key);
    const base = this.drafts.get(row.key)?.base ?? row.value;
    if (!row.secret && text === String(this.pending.get(row.key) ?? row.value) && base === row.value) this.drafts.delete(row.key);
    else this.drafts.set(row.key, { text, base });
  }

  /** Change a number by so many steps. */
  step(row: SettingRow, steps: number): void {
    const reading = readTyped(row, this.text(row));
    const from = "value" in reading ? Number(reading.value) : Number(this.value(row));
    this.pass(row, String(stepped(row, from, steps)));
  }

  /** Take a value that may be one on the way to another; it is saved once no other follows. */
  pass(row: SettingRow, text: string): void {
    this.type(row, text);
    if (this.isTrying) return;
    this.#timers.set(
      row.key,
      setTimeout(() => void this.save(this.#current(row), true), STEP_MS),
    );
  }

  /** Save what is typed, if it is valid and another value; steps that follow each other are undone together. */
  async save(row: SettingRow, isStep = false): Promise<void> {
    this.#stopTimer(row.key);
    const typed = this.#typed(row);
    if (typed === undefined || this.refusals.has(row.key) || (row.secret && typed === "")) return;
    if (this.isTrying && !row.secret) return;
    if (typed === row.value && row.given === null && !row.secret) this.drafts.delete(row.key);
    else await this.#send([{ row, value: typed }], { isStep });
  }

  /** The changes that are tried and can be saved. */
  tried(rows: readonly SettingRow[]): readonly Change[] {
    return rows.flatMap((row) => {
      const value = row.secret ? undefined : this.#typed(row);
      return value === undefined || value === row.value ? [] : [{ row, value }];
    });
  }

  /** Save all that is tried, together. */
  async saveTried(rows: readonly SettingRow[]): Promise<void> {
    const changes = this.tried(rows);
    if (changes.length > 0) await this.#send(changes);
  }

  /** Begin or end trying; what was tried and not saved is discarded. */
  try(isTrying: boolean): void {
    this.isTrying = isTrying;
    if (!isTrying) this.discard();
  }

  discard(): void {
    this.drafts.clear();
    this.refusals.clear();
  }

  /** Drop what is typed; false if nothing was. */
  revert(row: SettingRow): boolean {
    this.#stopTimer(row.key);
    const had = this.drafts.has(row.key) || this.refusals.has(row.key);
    this.drafts.delete(row.key);
    this.refusals.delete(row.key);
    return had;
  }

  /** Change a setting, or try it; null takes the default. The new value is shown at once. */
  async change(row: SettingRow, value: SettingValue | null): Promise<void> {
    this.#stopTimer(row.key);
    if (this.isTrying && !row.secret) this.type(row, String(value ?? row.default));
    else await this.#send([{ row, value }]);
  }

  /** Change several settings together, or try them. */
  async changeAll(changes: readonly Change[]): Promise<void> {
    if (this.isTrying) for (const { row, value } of changes) this.type(row, String(value ?? row.default));
    else await this.#send(changes);
  }

  async #send(changes: readonly Change[], { isConfirmed = false, isStep = false } = {}): Promise<void> {
    if (!isConfirmed && changes.some(({ row, value }) => mustConfirm(this.#current(row), value))) {
      this.#ask(changes, "");
      return;
    }
    const sent = new Map(changes.map(({ row }) => [row.key, this.drafts.get(row.key)]));
    for (const { row, value } of changes) {
      // The undo of the value before would be refused.
      const offer = this.#offers.get(row.key);
      if (offer?.isStep === false || !isStep) toasts.dismiss(offer?.toast ?? 0);
      this.refusals.delete(row.key);
      this.pending.set(row.key, value);
    }
    const body = changes.map(({ row, value }) => ({ key: row.key, value }));
    const send = this.#queue.then(() => api.changeSettings(body, isConfirmed));
    this.#queue = send.catch(() => undefined);
    try {
      const { settings, undo } = await send;
      this.#take(settings);
      // Typing may have gone on meanwhile.
      for (const [key, draft] of sent) if (this.drafts.get(key) === draft) this.drafts.delete(key);
      this.#report(changes, undo, isStep);
    } catch (thrown) {
      this.#refused(changes, asApiError(thrown));
    } finally {
      for (const { row, value } of changes) if (this.pending.get(row.key) === value) this.pending.delete(row.key);
    }
  }

  /** Do what was asked about, or leave it. */
  answer(isConfirmed: boolean): void {
    const asked = this.confirmation;
    this.confirmation = undefined;
    if (asked === undefined) return;
    if (isConfirmed) void this.#send(asked.changes, { isConfirmed: true });
    else if (!this.isTrying) for (const { row } of asked.changes) this.revert(row);
  }

  stop(): void {
    for (const key of this.#timers.keys()) this.#stopTimer(key);
  }

  /** Ask before changes with a consequence; `reason` is the daemon's, if it refused them. */
  #ask(changes: readonly Change[], reason: string): void {
    const grave = changes.filter(({ row, value }) => mustConfirm(this.#current(row), value));
    const texts = [...new Set(grave.flatMap(({ row }) => row.consequence?.text ?? []))];
    this.confirmation = { changes, text: texts.length > 0 ? texts.join(" ") : reason };
  }

  #refused(changes: readonly Change[], error: ApiError): void {
    if (error.code === "confirmation_needed") {
      this.#ask(changes, error.message);
      return;
    }
    // What was typed stays to be mended; what was chosen goes back.
    for (const { row } of changes) if (row.kind === "choice" && !this.isTrying) this.drafts.delete(row.key);
    const reason = [error.message, error.hint].filter(Boolean).join(" ");
    const blamed = changes.length === 1 ? changes[0] : changes.find(({ row }) => reason.includes(row.key));
    if (error.status === 400 && blamed !== undefined) {
      this.refusals.set(blamed.row.key, reason);
    } else if (!error.isSignedOut) {
      toasts.add(`Couldn't change ${this.#namesOf(changes)}: ${error.message}`, { hint: error.hint, tone: "danger" });
    }
  }

  #namesOf(changes: readonly Change[]): string {
    const [first] = changes;
    return changes.length === 1 && first !== undefined ? `"${this.#nameOf(first.row)}"` : `${String(changes.length)} settings`;
  }

  #report(changes: readonly Change[], undo: SettingChange[], isStep: boolean): void {
    const [first] = changes;
    if (first === undefined) return;
    const restarts = changes.filter(({ row }) => row.needsRestart);
    for (const { row } of restarts) this.awaitsRestart.set(row.key, this.#nameOf(row));
    const made = changes.map(({ row }) => this.#current(row));
    const { row, value } = first;
    const last = this.#offers.get(row.key);
    const isSame = isStep && last?.isStep === true && toasts.all.some(({ id }) => id === last.toast);
    const back = isSame ? last.undo : undo;
    if (isSame) toasts.dismiss(last.toast);
    const what = row.secret ? (value === null ? "removed" : "set") : shownValue(row, this.#current(row).value);
    const text = changes.length === 1 ? `${this.#nameOf(row)}: ${what}.` : `Changed ${this.#namesOf(changes)}.`;
    const hint = restarts.length > 0 ? "Takes effect when the daemon is restarted." : "";
    // A secret that was set before isn't told, so it can't be brought back.
    const toast = back.length === 0 ? toasts.add(text, { hint }) : offerUndo({ text, hint, undo: () => this.#undo(made, back) });
    this.#offers.set(row.key, { toast, isStep, undo: back });
  }

  async #undo(made: readonly SettingRow[], changes: SettingChange[]): Promise<void> {
    for (const { key } of made) this.#offers.delete(key);
    if (made.some((row) => this.#current(row).value !== row.value)) throw new ChangedSinceError();
    for (const row of made) this.revert(row);
    // The values were the user's own before.
    const { settings } = await api.changeSettings(changes, true);
    for (const row of made) this.awaitsRestart.delete(row.key);
    this.#take(settings);
  }

  /** The row as the daemon has it now. */
  #current(row: SettingRow): SettingRow {
    return this.#now()?.settings.find(({ key }) => key === row.key) ?? row;
  }

  #stopTimer(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }
}
