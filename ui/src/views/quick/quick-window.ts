/** Window actions of the quick windows. */

/** What the desktop app offers to its windows: on Windows and macOS, and on Linux. */
interface DesktopWindow {
  readonly pywebview?: { readonly api?: { readonly close_window?: () => Promise<void> } };
  readonly webkit?: { readonly messageHandlers?: { readonly closeWindow?: { postMessage: (nothing: null) => void } } };
}

export function closeWindow(): void {
  const { pywebview, webkit } = window as DesktopWindow;
  const close = pywebview?.api?.close_window;
  const handler = webkit?.messageHandlers?.closeWindow;
  if (close !== undefined) void close();
  else if (handler !== undefined) handler.postMessage(null);
  // Has no effect in a tab that the user opened: browsers close only windows opened by a page.
  else window.close();
}

/** Open an address in the dashboard window; a browser reuses one tab for it. */
export function openInDashboard(path: string): void {
  window.open(path, "intaglio");
}
