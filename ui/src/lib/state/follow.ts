/** Links of text inside the dashboard, followed without reading the page anew. */

import { place } from "./place.svelte";

/** Where a click on a link of the dashboard leads; nowhere where a new tab or another program is asked for. */
export function ledTo(event: MouseEvent): URL | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.target === "_blank") return undefined;
  const url = new URL(link.href);
  return url.origin === location.origin ? url : undefined;
}

/** Go to a path with its query and its section. */
export function goTo(url: URL): void {
  if (place.go(url.pathname, url.searchParams) && url.hash !== "") {
    history.replaceState({ at: place.at }, "", url);
  }
}

/** For the `onclick` of whatever holds such links. */
export function follow(event: MouseEvent): void {
  const url = ledTo(event);
  if (url === undefined) return;
  event.preventDefault();
  goTo(url);
}
