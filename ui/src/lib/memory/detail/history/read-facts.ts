/** What a language model read in a memory, as an entry of that memory's history. */

interface ReadFact {
  readonly title: string;
  readonly detail: string;
}

const TITLES: ReadonlyMap<string, string> = new Map([
  ["applied", "Fact stored"],
  ["blocked", "Fact waits for you"],
  ["shadow", "Fact tried out"],
  ["skipped", "Fact left out"],
]);

const UNUSABLE = "Language model's reply not fully usable";

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The title and text of an entry that tells of a fact; undefined for any other metadata. */
export function readFact(metadata: Readonly<Record<string, unknown>> | null, reason: string | null): ReadFact | undefined {
  const title = TITLES.get(textOf(metadata?.outcome));
  if (title === undefined || metadata === null) return undefined;
  const { fact, skippedReason } = metadata;
  if (fact === undefined && skippedReason === "malformed") return { title: UNUSABLE, detail: reason ?? "" };
  const content = typeof fact === "object" && fact !== null && "content" in fact ? textOf(fact.content) : "";
  return { title, detail: [content, reason ?? ""].filter((text) => text !== "").join(" – ") };
}
