/** The page as text for a bug report: no memory's content, no home folder, no password. */

import type { HarnessRow } from "$lib/api/client";
import { connectionLine } from "$lib/connect/connection-text";

import { matters } from "./matters";
import { panels, type Seen } from "./panels";

const HOMES = /(?:\/home\/[^/\s]+|\/Users\/[^/\s]+|\/root(?=[/\s]|$)|[A-Za-z]:\\Users\\[^\\\s]+)/g;
const LOGIN = /(\w:\/\/)[^/@\s]+@/g;

/** Leave out whose machine it is, and what an address may carry of a sign-in. */
export function redacted(text: string): string {
  return text.replace(HOMES, "~").replace(LOGIN, "$1");
}

/** `harnesses` are left out where they are not known. */
export function report(seen: Seen, agent: string, harnesses: readonly HarnessRow[] = []): string {
  const { status, now } = seen;
  const parts = [`Intaglio ${status.version}, ${new Date(now).toISOString()}`, agent];
  const found = matters(status, now);
  parts.push("", found.length === 0 ? "All is well." : "To look at:");
  for (const { level, title, text, command } of found) {
    parts.push(`- ${level}: ${title}. ${text}${command === undefined ? "" : ` ${command}`}`);
  }
  for (const { name, lines } of panels(seen)) {
    parts.push("", name);
    for (const { label, value, note, moment } of lines) {
      const more = [moment, note].filter((one) => one !== undefined).join("; ");
      parts.push(`  ${label}: ${value}${more === "" ? "" : ` (${more})`}`);
    }
  }
  if (harnesses.length > 0) parts.push("", "Agents", ...harnesses.map((row) => `  ${connectionLine(row)}`));
  return `${redacted(parts.join("\n"))}\n`;
}
