/** Links of text inside the dashboard, followed without reading the page anew. */

import { router } from "./router.svelte";

/** Where a click on a link of the dashboard leads; nowhere where a new tab or another program is asked for. */
export function internalTarget(event: MouseEvent): URL | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.target === "_blank") return undefined;
  const url = new URL(link.href);
  return url.origin === location.origin ? url : undefined;
}

/** Go to a path with its query and its section. */
export function navigate(url: URL): void {
  if (router.go(url.pathname, url.searchParams) && url.hash !== "") {
    history.replaceState({ at: router.at }, "", url);
  }
}

/** For the `onclick` of whatever holds such links. */
export function followLink(event: MouseEvent): void {
  const url = internalTarget(event);
  if (url === undefined) return;
  event.preventDefault();
  navigate(url);
}
