/** What a link of a page may lead to. */

/** Whether an address outside the dashboard may be followed. */
export function safeOutward(address: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(address);
}

/** The address to follow inside Help, where this click asks for that; a new tab stays the browser's matter. */
export function inward(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const to = link?.getAttribute("href") ?? "";
  return to === "/help" || to.startsWith("/help/") ? to : undefined;
}
