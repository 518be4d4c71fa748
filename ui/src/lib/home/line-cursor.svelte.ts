/** Which line of a page has focus, is edited, or shows why it is there; and moving between them. */

import { flushSync, tick } from "svelte";

import type { PreviewLine } from "$lib/api/client";
import type { Shortcut } from "$lib/keys/registry.svelte";

import type { NextSession } from "./next-session.svelte";

/** Where a line stands: told at the start, left out there, or the same of a prompt. */
export type LinePlace = "told" | "left" | "prompt" | "prompt-left";

const GROUP = "Next session";
const ONE = "Selected line";

export const lineKey = (place: LinePlace, line: PreviewLine): string => `${place} ${line.memoryId}`;

export class LineCursor {
  readonly #session: NextSession;
  readonly #page: () => HTMLElement | undefined;
  #last = $state<string>();
  #edited = $state<string>();
  explained = $state.raw<ReadonlySet<string>>(new Set());
  /** The ids of the memories that were marked as useful. */
  useful = $state.raw<ReadonlySet<string>>(new Set());

  constructor(session: NextSession, page: () => HTMLElement | undefined) {
    this.#session = session;
    this.#page = page;
  }

  /** The line with the tab stop: the one that had focus last, else the first. */
  readonly stop = $derived.by(() => {
    const last = this.#last;
    if (last !== undefined && this.find(last) !== undefined) return last;
    const { start, prompt } = this.#session.value ?? {};
    const [first] = start?.lines ?? [];
    if (first !== undefined) return lineKey("told", first);
    const [added] = prompt?.lines ?? [];
    return added === undefined ? undefined : lineKey("prompt", added);
  });

  /** The line being edited, while it is there. */
  readonly editing = $derived(this.#edited !== undefined && this.find(this.#edited) !== undefined ? this.#edited : undefined);

  find(key: string): PreviewLine | undefined {
    const [place, id] = key.split(" ") as [LinePlace, string];
    const { start, prompt } = this.#session.value ?? {};
    const of = { told: start?.lines, left: start?.leftOut, prompt: prompt?.lines, "prompt-left": prompt?.leftOut };
    return of[place]?.find((line) => line.memoryId === id);
  }

  get #rows(): HTMLElement[] {
    return [...(this.#page()?.querySelectorAll<HTMLElement>("[data-line]") ?? [])];
  }

  /** The key of the line that has focus. */
  get focused(): string | undefined {
    return document.activeElement?.closest<HTMLElement>("[data-line]")?.dataset.line;
  }

  /** Focus came to a line. */
  entered(key: string): void {
    this.#last = key;
  }

  /** Focus a line; false if it isn't there. */
  focus(key: string | undefined): boolean {
    const row = this.#rows.find((one) => one.dataset.line === key);
    row?.focus();
    return row !== undefined;
  }

  /**
   * Call before the lines change: focus returns to its line if that moves, also to another group,
   * and goes to the one that takes its place if it is gone.
   */
  keepFocus(): void {
    const { activeElement } = document;
    const key = this.focused;
    if (!(activeElement instanceof HTMLElement) || key === undefined) return;
    const before = this.#rows.findIndex((row) => row.dataset.line === key);
    void tick().then(() => {
      if (document.activeElement !== document.body) return;
      if (activeElement.isConnected) activeElement.focus();
      else if (!this.focus(key)) {
        const rows = this.#rows;
        rows[Math.min(before, rows.length - 1)]?.focus();
      }
    });
  }

  move(by: number): void {
    const rows = this.#rows;
    const at = rows.findIndex((row) => row.dataset.line === this.focused);
    const from = at < 0 ? rows.findIndex((row) => row.dataset.line === this.stop) : at + by;
    rows[Math.min(Math.max(from, 0), rows.length - 1)]?.focus();
  }

  explain(key: string): void {
    const next = new Set(this.explained);
    if (!next.delete(key)) next.add(key);
    this.explained = next;
  }

  edit(key: string): void {
    this.#edited = key;
  }

  editEnd(): void {
    const key = this.#edited;
    this.#edited = undefined;
    flushSync();
    this.focus(key);
  }

  /** Forget a line's memory, which is also what is done with a wrong one. */
  forget(key: string): Promise<void> {
    return this.#takeOut(key, (id) => this.#session.forget(id));
  }

  /** Mark a line's memory as old. */
  retire(key: string): Promise<void> {
    return this.#takeOut(key, (id) => this.#session.retire(id));
  }

  /** Note that a line is useful. */
  async rateUseful(key: string): Promise<void> {
    const id = this.find(key)?.memoryId;
    if (id === undefined || this.useful.has(id)) return;
    const mark = (on: boolean): void => {
      const next = new Set(this.useful);
      if (on) next.add(id);
      else next.delete(id);
      this.useful = next;
    };
    mark(true);
    const undone = (): void => {
      mark(false);
    };
    if (!(await this.#session.rateUseful(id, undone))) undone();
  }

  async #takeOut(key: string, how: (id: string) => Promise<boolean>): Promise<void> {
    const line = this.find(key);
    if (line !== undefined) await how(line.memoryId);
  }

  async pin(key: string): Promise<void> {
    const line = this.find(key);
    if (line === undefined) return;
    await this.#session.pin(line);
  }

  /** `open` shows the memory of a line. */
  shortcuts(open: (line: PreviewLine) => void): Shortcut[] {
    const hasLines = (): boolean => this.editing === undefined && this.stop !== undefined;
    const target = (): string | undefined => (this.editing === undefined ? this.focused : undefined);
    const one = (id: string, keys: readonly string[], label: string, run: (key: string) => void, when = target): Shortcut => ({
      id: `home.${id}`,
      keys,
      label,
      group: ONE,
      when: () => when() !== undefined,
      run: () => {
        const key = when();
        if (key !== undefined) run(key);
      },
    });
    // Enter on a button of the line presses the button.
    const itself = (): string | undefined =>
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset.line : undefined;
    return [
      {
        id: "home.next",
        keys: ["j", "ArrowDown"],
        label: "Next line",
        group: GROUP,
        when: hasLines,
        repeats: true,
        run: () => {
          this.move(1);
        },
      },
      {
        id: "home.previous",
        keys: ["k", "ArrowUp"],
        label: "Previous line",
        group: GROUP,
        when: hasLines,
        repeats: true,
        run: () => {
          this.move(-1);
        },
      },
      one("useful", ["+"], "Useful", (key) => void this.rateUseful(key)),
      one("wrong", ["-"], "Wrong: forget it", (key) => void this.forget(key)),
      one("old", ["o"], "Old: no longer told", (key) => void this.retire(key)),
      one("edit", ["e"], "Edit", (key) => {
        this.edit(key);
      }),
      one("pin", ["p"], "Pin or unpin", (key) => void this.pin(key)),
      one("forget", ["#", "Delete"], "Forget", (key) => void this.forget(key)),
      one("why", ["w"], "Why is it here?", (key) => {
        this.explain(key);
      }),
      one(
        "open",
        ["Enter"],
        "Open the memory",
        (key) => {
          const line = this.find(key);
          if (line !== undefined) open(line);
        },
        itself,
      ),
    ];
  }
}
