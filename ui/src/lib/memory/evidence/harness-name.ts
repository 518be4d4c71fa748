/** The services that conversations were exported from. */
const EXPORTS: Readonly<Record<string, string>> = { chatgpt: "ChatGPT", "claude-ai": "Claude" };
const ACRONYMS: readonly string[] = ["cli"];

function written(word: string): string {
  return ACRONYMS.includes(word) ? word.toUpperCase() : word.charAt(0).toLocaleUpperCase() + word.slice(1);
}

/** The name of a harness as people write it: "Claude Code" for `claude-code`. */
export function harnessName(harness: string): string {
  return (
    EXPORTS[harness] ??
    harness
      .split(/[-_ ]/u)
      .filter((word) => word !== "")
      .map(written)
      .join(" ")
  );
}
