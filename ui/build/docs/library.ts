/** All Help pages: order, search sections, broken links. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

import { plainText } from "../../src/lib/help/plain-text.ts";
import type { Block, Entry, Inline, Page, Section } from "../../src/lib/help/model.ts";
import { type Compiled, compile, imageMark } from "./compile.ts";
import { FRONT, REST } from "./front.ts";
import { firstSentence, sizeOf } from "./text.ts";

export class Library {
  readonly entries: readonly Entry[];
  readonly sections: readonly Section[];
  /** Broken links and missing pictures, one line each. */
  readonly faults: readonly string[];
  readonly #folder: string;
  readonly #pages = new Map<string, Compiled>();

  constructor(folder: string) {
    this.#folder = folder;
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      if (!file.endsWith(".md")) continue;
      const slug = relative(".", file).split(sep).join("/").slice(0, -".md".length);
      this.#pages.set(slug, compile(slug, readFileSync(join(folder, file), "utf8")));
    }
    this.entries = this.#ordered();
    this.sections = this.entries.flatMap(({ slug, title }) => sectionsOf(slug, title, this.#page(slug)));
    this.faults = [...this.#pages].flatMap(([slug, page]) => this.#faultsOf(slug, page));
  }

  /** The files of a page: itself and its pictures. */
  filesOf(slug: string): string[] {
    return [`${slug}.md`, ...this.#page(slug).images].map((name) => join(this.#folder, name));
  }

  /** A page as a module; its images become build assets. */
  moduleOf(slug: string): string {
    const { images } = this.#page(slug);
    const imports = images.map((name, index) => {
      return `import i${String(index)} from ${JSON.stringify(`${join(this.#folder, name)}?url`)};\n`;
    });
    const sizes = images.map((name) => sizeOf(readFileSync(join(this.#folder, name))));
    const page: Page = { blocks: this.#page(slug).blocks };
    let text = JSON.stringify(page, (_key, value: unknown) => sized(value, sizes));
    images.forEach((_name, index) => {
      text = text.replace(JSON.stringify(imageMark(index)), `i${String(index)}`);
    });
    return `${imports.join("")}export default ${text};\n`;
  }

  #page(slug: string): Compiled {
    const page = this.#pages.get(slug);
    if (page === undefined) throw new Error(`Help has no page ${slug}`);
    return page;
  }

  #ordered(): Entry[] {
    const left = new Set(this.#pages.keys());
    const groups = FRONT.map(({ name, pages }) => {
      return { name, slugs: pages.filter((slug) => left.delete(slug)) };
    });
    groups.find(({ name }) => name === REST)?.slugs.push(...left);
    return groups.flatMap(({ name, slugs }) => slugs.map((slug) => this.#entry(slug, name)));
  }

  #entry(slug: string, group: string): Entry {
    const { title, blocks } = this.#page(slug);
    const first = blocks.find((block) => block.is === "paragraph");
    const about = firstSentence(first === undefined ? "" : plainText(first.of));
    return { slug, group, title, about };
  }

  #faultsOf(slug: string, page: Compiled): string[] {
    const lost = page.images.filter((name) => !existsSync(join(this.#folder, name)));
    const dead = page.links.filter((link) => {
      const target = this.#pages.get(link.slug);
      return target === undefined || (link.id !== "" && !target.ids.has(link.id));
    });
    return [...lost.map((name) => `missing picture ${name}`), ...dead.map((link) => `broken link ${link.written}`)].map(
      (what) => `${slug}.md: ${what}`,
    );
  }
}

function sized(value: unknown, sizes: readonly ReturnType<typeof sizeOf>[]): unknown {
  if (typeof value !== "object" || value === null || !("is" in value) || value.is !== "image") return value;
  const index = "src" in value && typeof value.src === "string" ? Number(value.src.slice(1)) : -1;
  return { ...value, ...sizes[index] };
}

function sectionsOf(slug: string, title: string, { blocks }: Compiled): Section[] {
  const sections: { slug: string; id: string; heading: string; texts: string[] }[] = [{ slug, id: "", heading: title, texts: [] }];
  for (const block of blocks) {
    if (block.is === "heading") sections.push({ slug, id: block.id, heading: plainText(block.of), texts: [] });
    else sections.at(-1)?.texts.push(...textsOf(block));
  }
  return sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(" ").replace(/\s+/g, " ").trim() }));
}

function textsOf(block: Block): string[] {
  switch (block.is) {
    case "heading":
    case "paragraph":
      return [plainText(block.of)];
    case "code":
      return [block.text];
    case "list":
      return block.items.flat().flatMap(textsOf);
    case "quote":
      return block.of.flatMap(textsOf);
    case "table":
      return [block.head, ...block.rows].flat().map((cell: { of: readonly Inline[] }) => plainText(cell.of));
    case "rule":
      return [];
  }
}
