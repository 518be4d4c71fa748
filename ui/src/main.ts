/** Where the dashboard starts; the small windows have their pages apart from it. */

import "./styles/tokens.css";
import "./styles/base.css";

import { mount, type Component } from "svelte";

import App from "./App.svelte";
import SmallWindow from "./SmallWindow.svelte";

interface SmallPage {
  readonly title: string;
  readonly load: () => Promise<{ default: Component }>;
}

const SMALL: Record<string, SmallPage> = {
  "/quick-remember": {
    title: "Quick remember",
    load: () => import("./views/quick/QuickRemember.svelte"),
  },
  "/quick-search": {
    title: "Quick search",
    load: () => import("./views/quick/QuickSearch.svelte"),
  },
};

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the dashboard");
const small = SMALL[location.pathname.replace(/\/$/, "")];
if (small === undefined) {
  mount(App, { target });
} else {
  const { default: page } = await small.load();
  mount(SmallWindow, { target, props: { title: small.title, page } });
}
