// @vitest-environment node
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { plainText } from "../../src/lib/help/plain-text.ts";
import { compile, imageMark } from "./compile.ts";
import { FRONT } from "./front.ts";
import { Library } from "./library.ts";
import { firstSentence, namer, sizeOf, slugOf } from "./text.ts";

const ROUTES = fileURLToPath(new URL("../../src/routes.ts", import.meta.url));
const VIEWS_HELP = [...readFileSync(ROUTES, "utf8").matchAll(/\bhelp: "([^"]+)"/g)].map(([, page = ""]) => page);
const UI = fileURLToPath(new URL("../../src", import.meta.url));
/** Every link to a page of Help that is written out in the dashboard's sources. */
const LINKED = readdirSync(UI, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(ts|svelte)$/.test(file) && !file.endsWith(".test.ts"))
  .flatMap((file) => [...readFileSync(join(UI, file), "utf8").matchAll(/["`]\/help\/([a-z#-]+)["`]/g)])
  .map(([, page = ""]) => page);
const DOCS = fileURLToPath(new URL("../../../assets/docs/help", import.meta.url));

const page = (text: string, slug = "page"): ReturnType<typeof compile> => compile(slug, `# Title\n\n${text}`);
const first = (text: string, slug?: string): unknown => page(text, slug).blocks[0];

describe("a page", () => {
  it("has its first heading as its title", () => {
    expect(compile("a", "# The *desk*\n\nText.").title).toBe("The desk");
  });

  it("is refused without a title", () => {
    expect(() => compile("a", "Text.")).toThrow("a.md does not begin with a title");
  });

  it("leaves out what a generator notes on top", () => {
    expect(compile("a", "<!-- Generated. -->\n# Settings\n\nText.").title).toBe("Settings");
  });

  it("keeps marks, code, lists and tables", () => {
    expect(page("**a** `b`\n\n1. one\n2. two\n\n| x | y |\n|---|--:|\n| 1 | 2 |").blocks).toEqual([
      { is: "paragraph", of: [{ is: "strong", of: ["a"] }, " ", { is: "code", text: "b" }] },
      {
        is: "list",
        start: 1,
        isTight: true,
        items: [[{ is: "paragraph", of: ["one"] }], [{ is: "paragraph", of: ["two"] }]],
      },
      {
        is: "table",
        head: [
          { align: "start", of: ["x"] },
          { align: "end", of: ["y"] },
        ],
        rows: [
          [
            { align: "start", of: ["1"] },
            { align: "end", of: ["2"] },
          ],
        ],
      },
    ]);
  });

  it("tells a list with gaps from one without", () => {
    expect(first("- one\n\n- two")).toMatchObject({ is: "list", isTight: false });
  });
});

describe("hostile Markdown", () => {
  it.each(["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b onclick=x>b</b>"])("shows %s as text", (html) => {
    const [block] = page(html).blocks;
    expect(block?.is === "paragraph" && plainText(block.of)).toBe(html);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "file:///etc/passwd",
    "//elsewhere.example/x",
    "intaglio://remember",
  ])("makes no link of %s", (address) => {
    expect(JSON.stringify(page(`[press](${address})`).blocks)).not.toContain('"to"');
  });

  it("fetches no picture from elsewhere", () => {
    const found = page("![owl](https://elsewhere.example/x.png) ![up](../../secret.png)");
    expect(found.images).toEqual([]);
    expect(found.blocks).toEqual([{ is: "paragraph", of: ["owl up"] }]);
  });

  it("cannot write the mark that stands for a picture", () => {
    expect(JSON.stringify(page(imageMark(0)).blocks)).not.toContain(JSON.stringify(imageMark(0)).slice(1, -1));
  });
});

describe("a link", () => {
  const led = (text: string, slug = "page"): unknown => (first(text, slug) as { of: unknown[] }).of[0];

  it("to another page stays in Help", () => {
    expect(led("[x](storage.md#what-is-kept)")).toEqual({ is: "link", to: "/help/storage#what-is-kept", of: ["x"] });
  });

  it("is read from the folder of its page", () => {
    expect(led("[x](0002-b.md)", "decisions/0001-a")).toMatchObject({ to: "/help/decisions/0002-b" });
    expect(led("[x](../storage.md)", "decisions/0001-a")).toMatchObject({ to: "/help/storage" });
  });

  it("to a section of its own page names that page", () => {
    expect(led("[x](#here)", "decisions/0001-a")).toMatchObject({ to: "/help/decisions/0001-a#here" });
  });

  it("to a source is its name in plain code", () => {
    expect(led("[app/x.py](../../app/x.py)")).toEqual({ is: "code", text: "app/x.py" });
  });

  it("outward is told from the others", () => {
    expect(led("[x](https://example.org/)")).toEqual({ is: "outward", to: "https://example.org/", of: ["x"] });
  });
});

describe("headings", () => {
  it("are named as code forges name them", () => {
    expect(slugOf("What is kept how long?")).toBe("what-is-kept-how-long");
    expect(slugOf("GET /api/memory")).toBe("get-apimemory");
  });

  it("of one name are told apart", () => {
    const name = namer();
    expect([name("A"), name("A"), name("A")]).toEqual(["a", "a-1", "a-2"]);
  });
});

describe("a first sentence", () => {
  it("ends at its full stop, not at one inside", () => {
    expect(firstSentence("See intaglio.db now. And more.")).toBe("See intaglio.db now.");
  });

  it("is cut between words", () => {
    expect(firstSentence("one two three four", 10)).toBe("one two …");
  });
});

it("reads a picture's size, and of nothing else", () => {
  const png = new Uint8Array(24);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  new DataView(png.buffer).setUint32(16, 640);
  new DataView(png.buffer).setUint32(20, 400);
  expect(sizeOf(png)).toEqual({ width: 640, height: 400 });
  expect(sizeOf(new Uint8Array(24))).toBeUndefined();
});

describe("a folder of pages", () => {
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "docs-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(files: Record<string, string>): Library {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return new Library(folder);
  }

  it("lists every broken link and missing picture", () => {
    const { faults } = write({
      "a.md": "# A\n\n[b](b.md#two) [gone](c.md) [section](b.md#one) ![x](images/x.png)",
      "b.md": "# B\n\n## Two\n",
    });
    expect(faults).toEqual(["a.md: missing picture images/x.png", "a.md: broken link c.md", "a.md: broken link b.md#one"]);
  });

  it("takes in a page that the front list does not name", () => {
    const { entries } = write({ "settings.md": "# Settings\n", "new.md": "# New\n\nA thing. More." });
    expect(entries.map(({ slug, group, about }) => [slug, group, about])).toEqual([
      ["settings", "Reference", ""],
      ["new", "More", "A thing."],
    ]);
  });

  it("is cut into sections for the search", () => {
    const { sections } = write({ "a.md": "# A\n\nTop.\n\n## Two\n\n- x\n- y\n\n| k |\n|---|\n| v |\n" });
    expect(sections).toEqual([
      { slug: "a", id: "", heading: "A", text: "Top." },
      { slug: "a", id: "two", heading: "Two", text: "x y k v" },
    ]);
  });
});

describe("assets/docs/help", () => {
  const library = new Library(DOCS);

  it("has no broken link", () => {
    expect(library.faults).toEqual([]);
  });

  it.each([...VIEWS_HELP, ...LINKED])("has the section that the dashboard links to: %s", (target) => {
    const [slug = "", id = ""] = target.split("#");
    expect(library.sections.map((section) => [section.slug, section.id])).toContainEqual([slug, id]);
  });

  it("has every page that the front list names", () => {
    const slugs = library.entries.map(({ slug }) => slug);
    expect(slugs).toEqual(expect.arrayContaining(FRONT.flatMap(({ pages }) => [...pages])));
  });
});
