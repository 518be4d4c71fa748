/** The state of the Logs view: the lines, which one is read, and whether new ones are followed. */

import { flushSync } from "svelte";

import type { LogRow } from "$lib/api/client";
import { ListPage } from "$lib/list/list-page.svelte";

import { LOG_URL, type LogFilters } from "./log-filters";
import { LogRows } from "./log-rows.svelte";

interface PaneHandle {
  readonly focus: () => void;
}

export class LogsPage extends ListPage<LogRow, LogFilters> {
  declare readonly items: LogRows;
  /** Whether the line is shown, where there is room for one pane only. */
  isReading = $state(false);
  /** The line that is read; none until one is chosen, as new ones come on top. */
  readonly current = $derived.by(() => this.items.rows.find(({ id }) => id === this.active));
  pane: PaneHandle | undefined;

  constructor(items = new LogRows()) {
    super({ path: "/logs", group: "Logs", items, url: LOG_URL, isBeside: true });
  }

  override get openId(): string | undefined {
    return this.isSinglePane ? undefined : this.current?.id;
  }

  override get front(): "first" | "second" {
    return this.isReading ? "second" : "first";
  }

  override load(filters: LogFilters): void {
    this.isReading = false;
    super.load(filters);
  }

  /** Whoever looks at a line doesn't want it to move. */
  override onFocused(id: string): void {
    super.onFocused(id);
    this.items.follow(false);
  }

  override open(id: string): void {
    this.onFocused(id);
    this.isReading = true;
    flushSync();
    if (this.isSinglePane) this.pane?.focus();
  }

  override close(): void {
    this.isReading = false;
    flushSync();
    this.list?.move(0);
  }

  /** Following ends when the list is scrolled, and goes on at its top. */
  scrolled(isAtTop: boolean): void {
    if (isAtTop !== this.items.isFollowing) this.items.follow(isAtTop);
  }

  /** Show new lines, from the top, or let them wait. */
  setFollowing(isFollowing: boolean): void {
    if (isFollowing) {
      this.active = undefined;
      this.list?.toTop();
    }
    this.items.follow(isFollowing);
  }
}
