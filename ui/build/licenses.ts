import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Plugin } from "vite";

/** Put the licences of what is bundled beside it, below `licenses/`. */
export function licenses(folder: string): Plugin {
  return {
    name: "licenses",
    apply: "build",
    generateBundle() {
      for (const name of readdirSync(folder)) {
        this.emitFile({ type: "asset", fileName: `licenses/${name}`, source: readFileSync(join(folder, name)) });
      }
    },
  };
}
