/** Window actions of the quick windows. */

/** What the desktop app offers to its windows on Windows and macOS. */
interface DesktopWindow {
  readonly pywebview?: { readonly api?: { readonly close_window?: () => Promise<void> } };
}

export function closeWindow(): void {
  const close = (window as DesktopWindow).pywebview?.api?.close_window;
  // Has no effect in a tab that the user opened: browsers close only windows opened by a page.
  if (close === undefined) window.close();
  else void close();
}

/** Open an address in the dashboard window; a browser reuses one tab for it. */
export function openInDashboard(path: string): void {
  window.open(path, "intaglio");
}
