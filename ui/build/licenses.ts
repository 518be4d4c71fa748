import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Plugin } from "vite";

/** A package of npm that the dashboard contains, and the text of its licence. */
export interface BundledPackage {
  name: string;
  version: string;
  license: string;
  text: string;
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Return the folder of the package that a module belongs to; null if it is the dashboard's own. */
export function packageFolder(module: string): string | null {
  const found = /^[^?]*\/node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(module.replaceAll("\\", "/").replace("\0", ""));
  return found ? found[0] : null;
}

function read(folder: string): BundledPackage | null {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return null;
  const { name, version, license } = JSON.parse(readFileSync(file, "utf8")) as Record<string, string | undefined>;
  if (!name || !version) return null;
  const texts = readdirSync(folder).filter((one) => LICENSE_FILE.test(one));
  const text = texts.sort().map((one) => readFileSync(join(folder, one), "utf8").trim());
  return { name, version, license: license ?? "", text: text.join("\n\n") };
}

/** Return the packages of some modules, by name. */
export function bundledPackages(modules: Iterable<string>): BundledPackage[] {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = packageFolder(module);
    if (folder) folders.add(folder);
  }
  const found = [...folders].map(read).filter((one) => one !== null);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Put the licences of what is bundled beside it, below `licenses/`: the files of a folder, and
 * `packages.json`, which lists the packages of npm in the bundle.
 */
export function licenses(folder: string): Plugin {
  let root = "";
  return {
    name: "licenses",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_, bundle) {
      for (const name of readdirSync(folder)) {
        this.emitFile({ type: "asset", fileName: `licenses/${name}`, source: readFileSync(join(folder, name)) });
      }
      const sources = Object.values(bundle).flatMap((one) =>
        one.type === "chunk" ? one.moduleIds : one.originalFileNames.map((name) => resolve(root, name)),
      );
      const packages = bundledPackages(sources);
      this.emitFile({
        type: "asset",
        fileName: "licenses/packages.json",
        source: `${JSON.stringify(packages, null, 1)}\n`,
      });
    },
  };
}
