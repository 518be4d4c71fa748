/** The status as text for a bug report, without memory content, home folders or passwords. */

import type { HarnessRow } from "$lib/api/client";
import { connectionLine } from "$lib/connect/connection-text";

import { issuesOf } from "./issues";
import { statusPanels, type StatusSnapshot } from "./status-panels";

const HOMES = /(?:\/home\/[^/\s]+|\/Users\/[^/\s]+|\/root(?=[/\s]|$)|[A-Za-z]:\\Users\\[^\\\s]+)/g;
const LOGIN = /(\w:\/\/)[^/@\s]+@/g;

/** Redact home folders and credentials in URLs. */
export function redacted(text: string): string {
  return text.replace(HOMES, "~").replace(LOGIN, "$1");
}

/** `harnesses` are left out where they are not known. */
export function bugReport(snapshot: StatusSnapshot, agent: string, harnesses: readonly HarnessRow[] = []): string {
  const { status, now } = snapshot;
  const parts = [`Intaglio ${status.version}, ${new Date(now).toISOString()}`, agent];
  const issues = issuesOf(status);
  parts.push("", issues.length === 0 ? "No issues." : "Issues:");
  for (const { level, title, text, command } of issues) {
    parts.push(`- ${level}: ${title}. ${text}${command === "" ? "" : ` ${command}`}`);
  }
  for (const { name, lines } of statusPanels(snapshot)) {
    parts.push("", name);
    for (const { label, value, note, moment } of lines) {
      const more = [moment, note].filter((one) => one !== undefined).join("; ");
      parts.push(`  ${label}: ${value}${more === "" ? "" : ` (${more})`}`);
    }
  }
  if (harnesses.length > 0) parts.push("", "Agents", ...harnesses.map((row) => `  ${connectionLine(row)}`));
  return `${redacted(parts.join("\n"))}\n`;
}
