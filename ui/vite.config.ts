import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { firstLoadBudget } from "./build/budget.ts";
import { documentation } from "./build/docs/plugin.ts";
import { licenses } from "./build/licenses.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const daemon = process.env.INTAGLIO_URL ?? "http://127.0.0.1:3850";

// What only list views share isn't part of the first load.
const LISTS = /\/src\/lib\/(list|paging|components\/(filter|list|split|VirtualList))/;
// Nor is what searches: the palette, the quick search window and Help load it when they open.
const FINDING = /\/src\/lib\/(finding|help|keys\/palette|settings\/(entries|settings-))/;
// Nor what Settings, the page of a project and the notes on its settings share.
const SETTINGS = /\/src\/lib\/(settings\/(controls|project)|simulator)\//;
// Nor the agents' connections, which a first run and the page of connections show.
const CONNECTIONS = /\/src\/lib\/connect\/(Agent|Connect)\w+\.svelte/;
// Nor the import of history and taking back a source, which Home links to.
const IMPORTS = /\/src\/lib\/(import\/(?!import-listing)|removal\/|api\/(imports|sources)\.ts)/;
// Nor what compares texts. EditConflict too: a group takes what its modules import along.
const DIFFS = /\/src\/lib\/(components\/diff\/|memory\/EditConflict)|\/node_modules\/diff\//;
// Nor the workspace.
const WORKSPACE = /\/src\/lib\/(workspace\/|api\/(workspace|git)\.ts)/;
// Nor the details of a memory and what is done with several, which Memories and Constellation share.
const MEMORY = /\/src\/lib\/memory\/(detail|bulk)\//;
// Nor what a first run shows, on Home, the page Welcome and in Settings.
const WELCOME = /\/src\/lib\/(welcome\/(?!welcome\.svelte\.ts)|desktop\/|api\/first-run\.ts)/;

// The component gallery is for development: `vite build --mode gallery` builds it separately for
// its tests; it doesn't ship.
export default defineConfig(({ mode }) => ({
  plugins: [
    svelte(),
    documentation(here("../assets/docs/help")),
    licenses(here("../assets/licenses")),
    ...(mode === "gallery" ? [] : [firstLoadBudget(120)]),
  ],
  resolve: {
    alias: { $lib: here("src/lib"), $assets: here("../assets") },
    // Test rune stores as compiled for the browser, not for the server.
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  build: {
    outDir: here(mode === "gallery" ? "../.work/gallery" : "../app/intaglio/_built/ui"),
    rolldownOptions: {
      input: here(mode === "gallery" ? "gallery/index.html" : "index.html"),
      // Bundle modules shared by several views: as forty small files they cost a fifth of the CPU
      // time of opening a page.
      output: {
        codeSplitting: {
          groups: [
            {
              name: "shared",
              test: (id) =>
                /\/(src|node_modules)\//.test(id) &&
                ![LISTS, FINDING, SETTINGS, CONNECTIONS, IMPORTS, DIFFS, WORKSPACE, MEMORY, WELCOME].some((one) => one.test(id)),
              minShareCount: 2,
              priority: 1,
            },
            { name: "lists", test: LISTS, minShareCount: 2 },
            { name: "finding", test: FINDING, minShareCount: 2 },
            { name: "settings-controls", test: SETTINGS, minShareCount: 2 },
            { name: "connections", test: CONNECTIONS, minShareCount: 2 },
            { name: "imports", test: IMPORTS, minShareCount: 2 },
            { name: "workspace", test: WORKSPACE, minShareCount: 2 },
            { name: "welcome", test: WELCOME, minShareCount: 2 },
            { name: "memory", test: MEMORY, minShareCount: 2 },
            { name: "diffs", test: DIFFS, minShareCount: 2 },
          ],
        },
      },
    },
    emptyOutDir: true,
    // The page's CSP forbids inline content, so small files stay files.
    assetsInlineLimit: 0,
    target: "es2023",
    // The desktop window's engine supports light-dark(), so no fallback is generated.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
  },
  server: {
    fs: { allow: [here("."), here("../assets")] },
    proxy: { "/api": daemon, "/memory/": daemon, "/health": daemon, "/enter": daemon },
  },
  test: {
    environment: "happy-dom",
    include: ["{src,build,gallery}/**/*.test.ts"],
    restoreMocks: true,
    // Isolate files in VM contexts on few threads: creating the page took most of the time.
    pool: "vmThreads",
  },
}));
