/** The page as text for a bug report, without memory content, home folders or passwords. */

import type { Status } from "$lib/api/client";
import type { HealthReport, RepairList } from "$lib/api/health";

import { resultName, scoreText } from "./domain-text";
import { panelsOf } from "./panels";

const HOMES = /(?:\/home\/[^/\s]+|\/Users\/[^/\s]+|\/root(?=[/\s]|$)|[A-Za-z]:\\Users\\[^\\\s]+)/g;
const LOGIN = /(\w:\/\/)[^/@\s]+@/g;

/** Redact home folders and credentials in URLs. */
export function redacted(text: string): string {
  return text.replace(HOMES, "~").replace(LOGIN, "$1");
}

export interface Reported {
  readonly report: HealthReport;
  /** Undefined if it couldn't be read, as the repairs. */
  readonly status: Status | undefined;
  readonly repairs: RepairList | undefined;
  /** The browser. */
  readonly agent: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function bugReport({ report, status, repairs, agent, now }: Reported): string {
  const version = status === undefined ? "" : ` ${status.version}`;
  const parts = [`Intaglio${version}, ${new Date(now).toISOString()}`, agent, "", report.sentence];
  parts.push("", report.issues.length === 0 ? "No issues." : "Issues:");
  for (const { id, level, title, text, command } of report.issues) {
    parts.push(`- ${level} ${id}: ${title}. ${text}${command === "" ? "" : ` ${command}`}`);
  }
  parts.push("", `Domains (composite ${scoreText(report.composite.score)}):`);
  for (const { title, score, line, checks } of report.domains) {
    parts.push(`  ${title}: ${scoreText(score)}${line === "" ? "" : `, ${line}`}`);
    parts.push(...checks.filter(({ result }) => result !== "ok").map((check) => `    ${check.name}: ${resultName(check)}`));
  }
  for (const { name, lines } of panelsOf(report, status, now)) {
    parts.push("", name);
    for (const { label, value, note, moment } of lines) {
      const more = [moment, note].filter((one) => one !== undefined).join("; ");
      parts.push(`  ${label}: ${value}${more === "" ? "" : ` (${more})`}`);
    }
  }
  const agents = report.agents.filter((row) => row.isInstalled || row.state !== "not");
  if (agents.length > 0)
    parts.push(
      "",
      "Agents",
      ...agents.map(
        (row) =>
          `  ${row.label}: ${row.state} (last event ${row.lastEventAt ?? "none"}, tools ${row.tools}, ${String(row.failed)} failed, ${String(row.slow)} slow)`,
      ),
    );
  const { backups } = report;
  parts.push("", "Backups", `  ${String(backups.count)}, newest ${backups.newestAt ?? "none"}, restore test ${backups.testResult}`);
  const runs = repairs?.runs ?? [];
  if (runs.length > 0)
    parts.push("", "Repairs", ...runs.map((run) => `  ${run.at} ${run.action} by ${run.actor}: ${String(run.affected)}`));
  return `${redacted(parts.join("\n"))}\n`;
}
