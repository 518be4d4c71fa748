/** Follows internal links without a full page load. */

import { router } from "./router.svelte";

/** The target of a click on an internal link; undefined for new tabs, files to save and external links. */
export function internalTarget(event: MouseEvent): URL | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link === null || link.getAttribute("target") === "_blank" || link.hasAttribute("download")) return undefined;
  // Read as an attribute: the property of a link in a drawing is no text.
  const url = new URL(link.getAttribute("href") ?? "", location.href);
  return url.origin === location.origin ? url : undefined;
}

/** Navigate to a URL with its query and hash. */
export function navigate(url: URL, how: "push" | "replace" = "push"): void {
  const isSamePage = router.path === url.pathname;
  if (!router.go(url.pathname, url.searchParams, how) || url.hash === "") return;
  history.replaceState({ at: router.at }, "", url);
  // The view that is shown goes to that part of it; another one reads the hash when it opens.
  if (isSamePage) dispatchEvent(new HashChangeEvent("hashchange"));
}

/** A click handler for elements that contain internal links. */
export function followLink(event: MouseEvent): void {
  const url = internalTarget(event);
  if (url === undefined) return;
  event.preventDefault();
  navigate(url);
}
