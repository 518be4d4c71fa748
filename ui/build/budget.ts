import { gzipSync } from "node:zlib";

import type { Plugin } from "vite";

/** Print the gzipped size of the first load, and fail the build above `limitKb` kilobytes. */
export function firstLoadBudget(limitKb: number): Plugin {
  return {
    name: "first-load-budget",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const rows: [string, number][] = [];
        const seen = new Set<string>();
        const load = (name: string): void => {
          const part = bundle[name];
          if (part === undefined || seen.has(name)) return;
          seen.add(name);
          rows.push([name, gzipSync(part.type === "chunk" ? part.code : part.source).length]);
          if (part.type !== "chunk") return;
          // Styles load with the code that needs them; those of lazy views don't count.
          part.imports.forEach(load);
          part.viteMetadata?.importedCss.forEach(load);
        };
        for (const [name, part] of Object.entries(bundle)) {
          const isFirst = part.type === "chunk" ? part.isEntry : /\.(html|js)$/.test(name);
          if (isFirst) load(name);
        }
        const fonts = Object.values(bundle).filter((part) => part.type === "asset" && part.fileName.endsWith(".woff2"));
        const fontBytes = fonts.reduce((sum, part) => sum + (part.type === "asset" ? part.source.length : 0), 0);
        this.info(`fonts, each loaded when its characters appear: ${(fontBytes / 1000).toFixed(1)} KB`);
        const total = rows.reduce((sum, [, size]) => sum + size, 0);
        for (const [name, size] of rows) {
          this.info(`${name.padEnd(36)} ${(size / 1000).toFixed(1).padStart(7)} KB gzipped`);
        }
        this.info(`first load ${(total / 1000).toFixed(1)} KB gzipped of ${String(limitKb)} KB`);
        if (total > limitKb * 1000) {
          this.error(`the first load exceeds ${String(limitKb)} KB gzipped`);
        }
      },
    },
  };
}
