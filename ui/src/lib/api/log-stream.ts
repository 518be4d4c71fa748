/** The log's new lines as they are written (SSE), handed over a few times a second. */

import { definedOnly } from "./http";
import type { LogQuery, LogRow } from "./logs";

const GATHER_MS = 100;

function rowIn(data: unknown): LogRow | undefined {
  try {
    const value: unknown = JSON.parse(String(data));
    // The first event says that the stream is open.
    return typeof value === "object" && value !== null && "id" in value ? (value as LogRow) : undefined;
  } catch {
    return undefined;
  }
}

export class LogStream {
  readonly #source: EventSource;
  #lines: LogRow[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Open it where a list ended; a lost connection is opened again by the browser, where it was. */
  constructor(
    query: LogQuery,
    after: string | null,
    onlines: (lines: readonly LogRow[]) => void,
    open: (url: string) => EventSource = (url) => new EventSource(url),
  ) {
    const sent = new URLSearchParams(definedOnly({ ...query, after: after ?? undefined }));
    this.#source = open(`/api/logs/stream?${sent.toString()}`);
    this.#source.addEventListener("message", (event) => {
      const row = rowIn(event.data);
      if (row === undefined) return;
      this.#lines.push(row);
      this.#timer ??= setTimeout(() => {
        const lines = this.#lines;
        this.#lines = [];
        this.#timer = undefined;
        onlines(lines);
      }, GATHER_MS);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source.close();
  }
}
