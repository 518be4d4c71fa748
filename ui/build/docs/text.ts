/** Helpers for text and files: heading anchors, first sentences, image sizes. */

/** The anchor of a heading, as GitHub generates it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Generates unique anchors: repeated ones get a number. */
export function namer(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const name = slugOf(heading) || "section";
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name}-${String(before)}`;
  };
}

/** The first sentence, short enough for a list. */
export function firstSentence(text: string, most = 160): string {
  const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
  if (sentence.length <= most) return sentence;
  return `${sentence.slice(0, sentence.lastIndexOf(" ", most))} …`;
}

const PNG = "89504e470d0a1a0a";

/** Width and height of a PNG in pixels, to reserve its space while it loads. */
export function sizeOf(png: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const start = Array.from(png.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (png.length < 24 || start !== PNG) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
