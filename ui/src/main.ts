/** The entry point: mounts the dashboard, or one of the quick windows. */

import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/utilities.css";

import { mount, type Component } from "svelte";

import { retryStylesheets } from "$lib/stylesheets";

import App from "./App.svelte";
import { viewAt } from "./routes";
import SmallWindow from "./SmallWindow.svelte";

interface QuickPage {
  readonly title: string;
  readonly load: () => Promise<{ default: Component }>;
}

const QUICK_PAGES: Record<string, QuickPage> = {
  "/quick-remember": {
    title: "Quick remember",
    load: () => import("./views/quick/QuickRemember.svelte"),
  },
  "/quick-search": {
    title: "Quick search",
    load: () => import("./views/quick/QuickSearch.svelte"),
  },
};

retryStylesheets();
const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app element");
const quickPage = QUICK_PAGES[location.pathname.replace(/\/$/, "")];
if (quickPage === undefined) {
  // The view's code arrives while the sidebar is mounted; the outlet reports a failure.
  const view = viewAt(location.pathname);
  if (view !== undefined && view.component === undefined) view.load().catch(() => undefined);
  mount(App, { target });
} else {
  const { default: page } = await quickPage.load();
  mount(SmallWindow, { target, props: { title: quickPage.title, page } });
}
