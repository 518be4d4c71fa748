/** Compiles Markdown into the model that Help renders. Raw HTML stays text. */

import { posix } from "node:path";

import markdownIt, { type Token } from "markdown-it";

import { plainText } from "../../src/lib/help/plain-text.ts";
import type { Align, Block, Cell, Heading, Inline } from "../../src/lib/help/model.ts";
import { namer } from "./text.ts";

export interface Compiled {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Every link to a Help page, as written and as resolved. */
  readonly links: readonly { readonly written: string; readonly slug: string; readonly id: string }[];
  /** Image paths below the documents folder, in the order of `imageMark`. */
  readonly images: readonly string[];
  readonly ids: ReadonlySet<string>;
}

/** A placeholder for the nth image's URL; Markdown can't contain this character. */
export function imageMark(index: number): string {
  return `\0${String(index)}`;
}

const OUTWARD = /^(https?|mailto):/i;
/** The comment at the top of generated pages. */
const NOTICE = /^(\s*<!--[\s\S]*?-->)+/;

const parser = markdownIt({ html: false, linkify: false, typographer: false });

class Walk {
  readonly links: { written: string; slug: string; id: string }[] = [];
  readonly images: string[] = [];
  readonly ids = new Set<string>();
  readonly #slug: string;
  readonly #name = namer();
  #tokens: readonly Token[];
  #at = 0;

  constructor(slug: string, tokens: readonly Token[]) {
    this.#slug = slug;
    this.#tokens = tokens;
  }

  /** Blocks up to and including a token of this type; all of them without one. */
  blocks(end?: string): Block[] {
    const found: Block[] = [];
    for (let token = this.#next(); token !== undefined && token.type !== end; token = this.#next()) {
      const block = this.#block(token);
      if (block !== undefined) found.push(block);
    }
    return found;
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  #block(token: Token): Block | undefined {
    switch (token.type) {
      case "heading_open":
        return this.#heading(Number(token.tag.slice(1)));
      case "paragraph_open":
        return { is: "paragraph", of: this.#content() };
      case "fence":
      case "code_block":
        return { is: "code", language: token.info.trim(), text: token.content.replace(/\n$/, "") };
      case "bullet_list_open":
        return this.#list("bullet_list_close", null);
      case "ordered_list_open":
        return this.#list("ordered_list_close", Number(token.attrGet("start") ?? 1));
      case "blockquote_open":
        return { is: "quote", of: this.blocks("blockquote_close") };
      case "table_open":
        return this.#table();
      case "hr":
        return { is: "rule" };
      default:
        throw new Error(`${this.#slug}: Help cannot show ${token.type}`);
    }
  }

  /** The inline content of the block that was just opened, up to its end. */
  #content(): Inline[] {
    const inline = this.#next();
    this.#at += 1;
    return this.#inlines(inline?.children ?? []);
  }

  #heading(level: number): Heading {
    const of = this.#content();
    const id = this.#name(plainText(of));
    this.ids.add(id);
    return { is: "heading", level, id, of };
  }

  #list(end: string, start: number | null): Block {
    const items: Block[][] = [];
    let isTight = true;
    for (let token = this.#next(); token !== undefined && token.type !== end; token = this.#next()) {
      if (this.#tokens[this.#at]?.hidden === false) isTight = false;
      items.push(this.blocks("list_item_close"));
    }
    return { is: "list", start, isTight, items };
  }

  #table(): Block {
    const rows: Cell[][] = [];
    for (let token = this.#next(); token !== undefined && token.type !== "table_close"; token = this.#next()) {
      if (token.type === "tr_open") rows.push([]);
      if (token.type !== "th_open" && token.type !== "td_open") continue;
      rows.at(-1)?.push({ align: alignOf(token), of: this.#content() });
    }
    return { is: "table", head: rows[0] ?? [], rows: rows.slice(1) };
  }

  #inlines(tokens: readonly Token[]): Inline[] {
    const whole: Inline[] = [];
    const open: { token: Token; of: Inline[] }[] = [];
    for (const token of tokens) {
      const here = open.at(-1)?.of ?? whole;
      if (token.nesting === 1) open.push({ token, of: [] });
      else if (token.nesting === -1) {
        const done = open.pop();
        if (done !== undefined) (open.at(-1)?.of ?? whole).push(...this.#wrapped(done.token, done.of));
      } else here.push(...this.#single(token));
    }
    return joined(whole);
  }

  #single(token: Token): Inline[] {
    switch (token.type) {
      case "text":
      case "text_special":
        return token.content === "" ? [] : [token.content];
      case "softbreak":
        return [" "];
      case "hardbreak":
        return [{ is: "break" }];
      case "code_inline":
        return [{ is: "code", text: token.content }];
      case "image":
        return [this.#image(token)];
      default:
        throw new Error(`${this.#slug}: Help cannot show ${token.type}`);
    }
  }

  #wrapped(token: Token, inside: Inline[]): Inline[] {
    const of = joined(inside);
    switch (token.type) {
      case "strong_open":
        return [{ is: "strong", of }];
      case "em_open":
        return [{ is: "emphasis", of }];
      case "s_open":
        return [{ is: "struck", of }];
      case "link_open":
        return this.#link(attribute(token, "href"), of);
      default:
        throw new Error(`${this.#slug}: Help cannot show ${token.type}`);
    }
  }

  #link(href: string, of: readonly Inline[]): Inline[] {
    if (OUTWARD.test(href)) return [{ is: "outward", to: href, of }];
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return [...of];
    const [path = "", id = ""] = decodeURIComponent(href).split("#");
    const target = path === "" ? `${this.#slug}.md` : posix.normalize(posix.join(posix.dirname(this.#slug), path));
    // Source files aren't part of Help; show the path instead of a link.
    if (target.startsWith("..")) return [{ is: "code", text: plainText(of) }];
    const slug = target.replace(/\.md$/, "");
    this.links.push({ written: href, slug: target.endsWith(".md") ? slug : target, id });
    return [{ is: "link", to: `/help/${slug}${id === "" ? "" : `#${id}`}`, of }];
  }

  #image(token: Token): Inline {
    const src = attribute(token, "src");
    const path = posix.normalize(posix.join(posix.dirname(this.#slug), decodeURIComponent(src)));
    const isOurs = !/^[a-z][a-z0-9+.-]*:|^\//i.test(src) && !path.startsWith("..");
    // Nothing is loaded from other hosts.
    if (!isOurs) return token.content;
    this.images.push(path);
    return { is: "image", src: imageMark(this.images.length - 1), alt: token.content, width: 0, height: 0 };
  }
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}

function alignOf(token: Token): Align {
  const style = attribute(token, "style");
  return style.includes("right") ? "end" : style.includes("center") ? "center" : "start";
}

/** Merge adjacent texts. */
function joined(inlines: readonly Inline[]): Inline[] {
  const whole: Inline[] = [];
  for (const one of inlines) {
    const last = whole.at(-1);
    if (typeof one === "string" && typeof last === "string") whole[whole.length - 1] = last + one;
    else whole.push(one);
  }
  return whole;
}

/** Compile one page; `slug` is its path below the documents folder, without `.md`. */
export function compile(slug: string, markdown: string): Compiled {
  const walk = new Walk(slug, parser.parse(markdown.replace(NOTICE, ""), {}));
  const all = walk.blocks();
  const first = all[0];
  if (first?.is !== "heading" || first.level !== 1) throw new Error(`${slug}.md does not begin with a title`);
  const { links, images, ids } = walk;
  return { title: plainText(first.of), blocks: all.slice(1), links, images, ids };
}
