/** The name of a harness as people write it: "Claude Code" for `claude-code`. */
export function harnessName(harness: string): string {
  const words = harness.split(/[-_ ]/u).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toLocaleUpperCase() + word.slice(1)).join(" ");
}
