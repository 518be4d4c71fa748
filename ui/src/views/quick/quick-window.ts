/** Window actions of the quick windows. */

export function closeWindow(): void {
  // Has no effect in a tab that the user opened: browsers close only windows opened by a page.
  window.close();
}

/** Open an address in the dashboard window; a browser reuses one tab for it. */
export function openInDashboard(path: string): void {
  window.open(path, "intaglio");
}
