/** What a small window does to windows: close itself, and open a memory in the dashboard. */

export function closeWindow(): void {
  // A tab that a person opened stays: browsers let a page close only what a page opened.
  window.close();
}

/** The desk shows it in its own window; a browser in one that is used again. */
export function openMemory(id: string): void {
  window.open(`/memories/${encodeURIComponent(id)}`, "intaglio");
}
