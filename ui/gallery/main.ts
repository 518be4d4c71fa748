/** The gallery's page, for those who work on the dashboard: `npm run dev`, then /gallery/. */

import "../src/styles/tokens.css";
import "../src/styles/base.css";

import { mount, unmount } from "svelte";

import Page from "./Page.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the gallery");
let page = mount(Page, { target });

// A test begins with the gallery as it is when it is opened, without loading it again.
addEventListener("gallery:reset", () => {
  void unmount(page);
  page = mount(Page, { target });
});
