/** The words of a page without their marks. */

import type { Inline } from "./tree";

/** The words of inline content, without any marks. */
export function plain(inlines: readonly Inline[]): string {
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
          return plain(one.of);
      }
    })
    .join("");
}
