/** Changes of settings: what is typed, what is being saved, what was refused, and how to take it back. */

import { SvelteMap } from "svelte/reactivity";

import { api, type SettingChange, type SettingRow, type SettingsReply, type SettingValue } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";
import { ChangedSinceError, offerUndo } from "$lib/state/undo";

import { shownValue } from "$lib/settings/entries";
import { readTyped, stepped } from "./validation";

/** What was typed and isn't saved, and the value that was there when it was begun. */
interface Draft {
  readonly text: string;
  readonly base: SettingValue;
}

/** A change that waits for the user's word. */
export interface Confirmation {
  readonly row: SettingRow;
  readonly value: SettingValue | null;
  readonly text: string;
}

/** The last change, while its undo is offered. */
interface Offer {
  readonly key: string;
  readonly isStep: boolean;
  readonly toast: number;
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

  readonly #take: (reply: SettingsReply) => void;
  readonly #nameOf: (row: SettingRow) => string;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #queue: Promise<unknown> = Promise.resolve();
  #last: Offer | undefined;
  #now: () => SettingsReply | undefined;

  /** `take` gets the settings after each change; `nameOf` is what messages call a setting. */
  constructor(now: () => SettingsReply | undefined, take: (reply: SettingsReply) => void, nameOf: (row: SettingRow) => string) {
    this.#now = now;
    this.#take = take;
    this.#nameOf = nameOf;
  }

  /** The value that is shown: the one being saved, else the one in use. */
  value(row: SettingRow): SettingValue {
    const pending = this.pending.get(row.key);
    return pending === undefined ? row.value : (pending ?? row.default);
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
      const draft = this.drafts.get(row.key);
      const reading = draft === undefined ? undefined : readTyped(row, draft.text);
      if (reading !== undefined && "value" in reading) values[row.key] = reading.value;
      else if (this.pending.has(row.key)) values[row.key] = this.value(row);
    }
    return values;
  }

  type(row: SettingRow, text: string): void {
    this.#stopTimer(row.key);
    this.refusals.delete(row.key);
    const base = this.drafts.get(row.key)?.base ?? row.value;
    if (!row.secret && text === String(this.value(row)) && base === row.value) this.drafts.delete(row.key);
    else this.drafts.set(row.key, { text, base });
  }

  /** Change a number by so many steps; it is saved once no more steps follow. */
  step(row: SettingRow, steps: number): void {
    const reading = readTyped(row, this.text(row));
    const from = "value" in reading ? Number(reading.value) : Number(this.value(row));
    this.type(row, String(stepped(row, from, steps)));
    this.#timers.set(
      row.key,
      setTimeout(() => void this.save(this.#current(row), true), STEP_MS),
    );
  }

  /** Save what is typed, if it is valid and another value; steps that follow each other are undone together. */
  async save(row: SettingRow, isStep = false): Promise<void> {
    this.#stopTimer(row.key);
    const draft = this.drafts.get(row.key);
    if (draft === undefined || this.refusals.has(row.key)) return;
    const reading = readTyped(row, draft.text);
    if ("error" in reading || (row.secret && reading.value === "")) return;
    if (reading.value === this.value(row) && row.given === null && !row.secret) this.drafts.delete(row.key);
    else await this.change(row, reading.value, { isStep });
  }

  /** Drop what is typed; false if nothing was. */
  revert(row: SettingRow): boolean {
    this.#stopTimer(row.key);
    const had = this.drafts.has(row.key) || this.refusals.has(row.key);
    this.drafts.delete(row.key);
    this.refusals.delete(row.key);
    return had;
  }

  /** Change a setting; null takes the default. The new value is shown at once. */
  async change(row: SettingRow, value: SettingValue | null, { isConfirmed = false, isStep = false } = {}): Promise<void> {
    this.#stopTimer(row.key);
    this.refusals.delete(row.key);
    this.pending.set(row.key, value);
    const sent = this.drafts.get(row.key);
    const send = this.#queue.then(() => api.changeSettings([{ key: row.key, value }], isConfirmed));
    this.#queue = send.catch(() => undefined);
    try {
      const { settings, undo } = await send;
      this.#take(settings);
      // Typing may have gone on meanwhile.
      if (value === null || this.drafts.get(row.key) === sent) this.drafts.delete(row.key);
      this.#report(row, value, undo, isStep);
    } catch (thrown) {
      this.#refused(row, value, asApiError(thrown));
    } finally {
      if (this.pending.get(row.key) === value) this.pending.delete(row.key);
    }
  }

  /** Do what was asked about, or leave it. */
  answer(isConfirmed: boolean): void {
    const asked = this.confirmation;
    this.confirmation = undefined;
    if (asked === undefined) return;
    if (isConfirmed) void this.change(asked.row, asked.value, { isConfirmed: true });
    else this.revert(asked.row);
  }

  stop(): void {
    for (const key of this.#timers.keys()) this.#stopTimer(key);
  }

  #refused(row: SettingRow, value: SettingValue | null, error: ApiError): void {
    if (error.code === "confirmation_needed") {
      this.confirmation = { row, value, text: row.consequence?.text ?? error.message };
    } else if (error.status === 400) {
      this.refusals.set(row.key, [error.message, error.hint].filter(Boolean).join(" "));
    } else if (!error.isSignedOut) {
      toasts.add(`Couldn't change "${this.#nameOf(row)}": ${error.message}`, { hint: error.hint, tone: "danger" });
    }
  }

  #report(row: SettingRow, value: SettingValue | null, undo: SettingChange[], isStep: boolean): void {
    if (row.needsRestart) this.awaitsRestart.set(row.key, this.#nameOf(row));
    const made = this.#current(row).value;
    const last = this.#last;
    const isSame = isStep && last?.isStep === true && last.key === row.key && toasts.all.some(({ id }) => id === last.toast);
    const back = isSame ? last.undo : undo;
    if (isSame) toasts.dismiss(last.toast);
    const what = row.secret ? (value === null ? "removed" : "set") : shownValue(row, made);
    const text = `${this.#nameOf(row)}: ${what}.`;
    const hint = row.needsRestart ? "Takes effect when the daemon is restarted." : "";
    this.#last = { key: row.key, isStep, undo: back, toast: offerUndo({ text, hint, undo: () => this.#undo(row, made, back) }) };
  }

  async #undo(row: SettingRow, made: SettingValue, changes: SettingChange[]): Promise<void> {
    this.#last = undefined;
    if (this.#current(row).value !== made) throw new ChangedSinceError();
    this.revert(row);
    // The value was the user's own before.
    const { settings } = await api.changeSettings(changes, true);
    this.awaitsRestart.delete(row.key);
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
