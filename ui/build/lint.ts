/** Runs ESLint with a cache that is valid as long as no source changes. */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { exit } from "node:process";

const CACHES = "node_modules/.cache/eslint";
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
const options = ["--max-warnings", "0", "--cache", "--cache-location", `${CACHES}/${cache}`];
exit(spawnSync("node_modules/.bin/eslint", [".", ...options], { stdio: "inherit" }).status ?? 1);
