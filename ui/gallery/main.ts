/** The gallery's page, for those who work on the dashboard: `npm run dev`, then /gallery/. */

import "../src/styles/tokens.css";
import "../src/styles/base.css";

import { mount, unmount } from "svelte";

import GalleryPage from "./GalleryPage.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the gallery");
const place = target;
const show = (only?: string) => mount(GalleryPage, { target: place, props: { only } });
let page = show();

// A test begins with the gallery, or one section of it, as it is when it is opened.
addEventListener("gallery:reset", (event) => {
  void unmount(page);
  page = show(event instanceof CustomEvent ? String(event.detail) : undefined);
});
