/**
 * Help pages as modules: `virtual:docs` is the table of contents with a loader per page,
 * `virtual:docs/search` the search index. A broken link fails the build.
 */

import { join } from "node:path";

import type { Plugin } from "vite";

import { Library } from "./library.ts";

const LIST = "virtual:docs";
const SEARCH = "virtual:docs/search";
const PAGE = "virtual:docs/page/";

export function documentation(folder: string): Plugin {
  let library: Library | undefined;

  const read = (): Library => {
    library ??= new Library(folder);
    return library;
  };

  return {
    name: "documentation",
    buildStart() {
      const { faults } = read();
      if (faults.length > 0) this.error(`broken links in Help:\n${faults.join("\n")}`);
    },
    resolveId(id) {
      return id === LIST || id === SEARCH || id.startsWith(PAGE) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${LIST}`)) return undefined;
      const name = id.slice(1);
      if (name === LIST) return listOf(read());
      if (name === SEARCH) return `export default ${JSON.stringify(read().sections)};\n`;
      const slug = name.slice(PAGE.length);
      for (const file of read().filesOf(slug)) this.addWatchFile(file);
      return read().moduleOf(slug);
    },
    configureServer(server) {
      server.watcher.add(join(folder, "**"));
      server.watcher.on("all", (_event, file) => {
        if (!file.startsWith(folder)) return;
        library = undefined;
        server.moduleGraph.invalidateAll();
        server.hot.send({ type: "full-reload" });
      });
    },
  };
}

function listOf(library: Library): string {
  const pages = library.entries.map((entry) => {
    return `{...${JSON.stringify(entry)}, load: () => import(${JSON.stringify(PAGE + entry.slug)})}`;
  });
  return `export default [\n${pages.join(",\n")}\n];\n`;
}
