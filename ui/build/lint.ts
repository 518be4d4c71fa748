/** Runs ESLint on the dashboard, with a cache that is valid as long as no source changes, and on plugins. */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { execPath, exit } from "node:process";

const CACHES = "node_modules/.cache/eslint";
const PLUGINS = ["app/intaglio", "tests"];
const SOURCES = ["*.{js,json,ts}", "{src,build,gallery}/**/*.{ts,svelte}"];

// Type-aware rules read other files than the linted one: a per-file cache would be wrong as soon
// as one of those changes.
const digest = createHash("sha256");
for (const name of globSync(SOURCES).sort()) digest.update(`${name}\0`).update(readFileSync(name));
const cache = digest.digest("hex").slice(0, 16);

try {
  for (const other of readdirSync(CACHES)) {
    if (other !== cache) rmSync(`${CACHES}/${other}`, { recursive: true });
  }
} catch {
  // There's no cache yet.
}

/** Run ESLint in a folder, which has to contain all that is linted; returns its exit code. */
function lint(folder: string, ...options: string[]): number {
  const run = [resolve("node_modules/.bin/eslint"), "--max-warnings", "0", ...options];
  return spawnSync(execPath, run, { cwd: folder, stdio: "inherit" }).status ?? 1;
}

const dashboard = lint(".", ".", "--cache", "--cache-location", `${CACHES}/${cache}`);
const plugins = lint("..", "--config", "ui/eslint.plugins.js", ...PLUGINS);
exit(dashboard || plugins);
