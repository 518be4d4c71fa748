/** A documentation page as plain data: only these nodes can be rendered. */

export type Inline =
  | string
  | { readonly is: "code"; readonly text: string }
  | { readonly is: "strong" | "emphasis" | "struck"; readonly of: readonly Inline[] }
  /** To a page of Help, with or without a section: `/help/privacy#how-long-data-is-kept`. */
  | { readonly is: "link"; readonly to: string; readonly of: readonly Inline[] }
  /** An external link: http, https or mailto. */
  | { readonly is: "outward"; readonly to: string; readonly of: readonly Inline[] }
  | { readonly is: "image"; readonly src: string; readonly alt: string; readonly width: number; readonly height: number }
  | { readonly is: "break" };

export type Align = "start" | "center" | "end";

export interface Cell {
  readonly align: Align;
  readonly of: readonly Inline[];
}

export interface Heading {
  readonly is: "heading";
  readonly level: number;
  /** The anchor; unique on its page. */
  readonly id: string;
  readonly of: readonly Inline[];
}

export type Block =
  | Heading
  | { readonly is: "paragraph"; readonly of: readonly Inline[] }
  | { readonly is: "code"; readonly language: string; readonly text: string }
  | { readonly is: "list"; readonly start: number | null; readonly isTight: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly is: "quote"; readonly of: readonly Block[] }
  | { readonly is: "table"; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly is: "rule" };

export interface Page {
  /** Without the level-1 heading, which is the page's title. */
  readonly blocks: readonly Block[];
}

/** An entry of the table of contents. */
export interface Entry {
  /** The path below /help/. */
  readonly slug: string;
  readonly group: string;
  readonly title: string;
  /** The first sentence. */
  readonly about: string;
}

/** An entry of the search index: the text below one heading. */
export interface Section {
  readonly slug: string;
  /** Empty for the text above the first heading. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}
