/** What a small window does to windows: close itself, and open a memory in the dashboard. */

/** The window's own program, where it is the desk's; a browser has none. */
interface Desk {
  readonly pywebview?: { readonly api?: { readonly open?: (path: string) => unknown } };
}

export function closeWindow(): void {
  // A tab that a person opened stays: browsers let a page close only what a page opened.
  window.close();
}

export function openMemory(id: string): void {
  const path = `/memories/${encodeURIComponent(id)}`;
  const desk = (window as Desk).pywebview?.api;
  if (desk?.open !== undefined) void desk.open(path);
  else window.open(path, "intaglio");
}
