/** Where the dashboard starts. */

import "./styles/tokens.css";
import "./styles/base.css";

import { mount } from "svelte";

import App from "./App.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the dashboard");
mount(App, { target });
