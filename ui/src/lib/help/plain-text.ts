/** Inline content as plain text. */

import type { Inline } from "./model";

/** The text of inline content without formatting. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines
    .map((one) => {
      if (typeof one === "string") return one;
      switch (one.is) {
        case "code":
          return one.text;
        case "break":
          return " ";
        case "image":
          return one.alt;
        case "strong":
        case "emphasis":
        case "struck":
        case "link":
        case "outward":
          return plainText(one.of);
      }
    })
    .join("");
}
