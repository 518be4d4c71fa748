import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { firstLoadBudget } from "./build/budget.ts";
import { documentation } from "./build/docs/plugin.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const daemon = process.env.INTAGLIO_URL ?? "http://127.0.0.1:3850";

// The gallery of components is for those who work on the dashboard: `vite build --mode gallery`
// builds it apart, for its tests, and none of it ships.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), documentation(here("../assets/docs/help")), ...(mode === "gallery" ? [] : [firstLoadBudget(120)])],
  resolve: {
    alias: { $lib: here("src/lib"), $assets: here("../assets") },
    // Rune stores are tested as the browser runs them, not in their server-rendered form.
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  build: {
    outDir: here(mode === "gallery" ? "../.work/gallery" : "../app/intaglio/_built/ui"),
    rolldownOptions: {
      input: here(mode === "gallery" ? "gallery/index.html" : "index.html"),
      // Modules that several views share go into one file: as forty small ones they cost a page
      // a fifth of the processor time that it needs to open.
      output: { codeSplitting: { groups: [{ name: "shared", test: /\/(src|node_modules)\//, minShareCount: 2 }] } },
    },
    emptyOutDir: true,
    // The policy of the page forbids anything inline; small files stay files.
    assetsInlineLimit: 0,
    target: "es2023",
    // The engines of the desktop's windows know light-dark(): nothing is spelled out for older ones.
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
    // Each file in a context of its own, but in few threads: making the page took most of the time.
    pool: "vmThreads",
  },
}));
