/** Window actions of the quick windows. */

export function closeWindow(): void {
  // Has no effect in a tab that the user opened: browsers close only windows opened by a page.
  window.close();
}

/** Open a memory in the dashboard window; a browser reuses one tab for it. */
export function openMemory(id: string): void {
  window.open(`/memories/${encodeURIComponent(id)}`, "intaglio");
}
