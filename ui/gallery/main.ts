/** The component gallery, for development: `npm run dev`, then open /gallery/. */

import "../src/styles/fonts.css";
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import "../src/styles/utilities.css";

import { mount, unmount } from "svelte";

import GalleryPage from "./GalleryPage.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app element");
const app = target;
const show = (only?: string) => mount(GalleryPage, { target: app, props: { only } });
let page = show();

// Tests reset the gallery, or one section of it, to its initial state.
addEventListener("gallery:reset", (event) => {
  void unmount(page);
  page = show(event instanceof CustomEvent ? String(event.detail) : undefined);
});
