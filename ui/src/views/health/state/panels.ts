/** The figures behind "Details": labelled values of each domain, and of what no check concerns. */

import type { Status } from "$lib/api/client";
import type { HealthReport } from "$lib/api/health";
import { clock, inWords } from "$lib/components/time/format";
import { bytes, duration } from "$lib/format-units";
import { settingPath } from "$lib/settings/setting-path";

import { figureText } from "./domain-text";

export interface PanelLine {
  readonly label: string;
  readonly value: string;
  /** An explanation of the value. */
  readonly note?: string;
  /** The exact timestamp of a relative time such as "3 hours ago". */
  readonly moment?: string;
  readonly link?: { readonly to: string; readonly text: string };
}

export interface PanelData {
  readonly name: string;
  readonly lines: readonly PanelLine[];
}

/** The lines, without those that don't apply. */
function lines(...all: readonly (PanelLine | false)[]): readonly PanelLine[] {
  return all.filter((line) => line !== false);
}

export function panelsOf(report: HealthReport, status: Status | undefined, now: number): readonly PanelData[] {
  const domains = report.domains
    .filter(({ figures }) => figures.length > 0)
    .map(({ title, figures }) => ({
      name: title,
      lines: figures.map((figure) => ({
        label: figure.label,
        value: figureText(figure, now),
        ...(figure.unit === "moment" && typeof figure.value === "string" ? { moment: figure.value } : {}),
      })),
    }));
  return status === undefined ? domains : [...domains, cleanup(status, now), installation(status, now)];
}

/** A readable name for a kind of data in the report of a cleanup. */
function dataKindLabel(name: string): string {
  const words: Readonly<Record<string, string>> = {
    ledger: "ledger entries",
    completed_jobs: "finished jobs",
    dead_jobs: "failed jobs",
    set_aside: "damaged databases",
    history: "history entries",
  };
  return words[name] ?? name.replaceAll("_", " ");
}

function cleanup({ retention: policy }: Status, now: number): PanelData {
  const link = { to: "/help/privacy#how-long-data-is-kept", text: "How long data is kept" };
  if (policy === null) return { name: "Cleanup", lines: [{ label: "State", value: "Unknown", link }] };
  const { last, nextAt: next } = policy;
  const purged = Object.entries(last?.removed ?? {}).filter(([, count]) => count > 0);
  return {
    name: "Cleanup",
    lines: lines(
      {
        label: "Next",
        ...(policy.running ? { value: "Running" } : next === null ? { value: "Soon" } : { value: clock(next, now), moment: next }),
        link,
      },
      last === null
        ? { label: "Last", value: "None yet" }
        : {
            label: "Last",
            value: inWords(last.endedAt, now),
            moment: last.endedAt,
            note: `${last.outcome === "done" ? "Completed" : `Stopped: ${last.outcome}`}; blocked writes for at most ${last.longestMs.toFixed(1)} ms`,
          },
      last !== null && purged.length === 0 && { label: "Deleted", value: "Nothing expired" },
      ...purged.map(([kind, count]) => ({ label: `Deleted: ${dataKindLabel(kind)}`, value: count.toLocaleString() })),
      ...Object.entries(last?.failed ?? {}).map(([kind, why]) => ({ label: `Failed: ${dataKindLabel(kind)}`, value: why })),
      { label: "Unused space in the file", value: bytes(policy.freeBytes), note: "reused for new data" },
      { label: "Periods", value: "By kind of data", link: { to: settingPath("Privacy and retention"), text: "Change in Settings" } },
    ),
  };
}

function installation(status: Status, now: number): PanelData {
  const { capture } = status;
  const until = capture?.until ?? null;
  return {
    name: "Installation",
    lines: [
      { label: "Version", value: status.version },
      { label: "Process", value: `PID ${String(status.pid)}` },
      { label: "Uptime", value: duration(status.uptime), moment: status.startedAt },
      { label: "Address", value: `${status.host}:${String(status.port)}`, note: "this computer only" },
      { label: "Workspace", value: status.agentsDir },
      { label: "Log", value: status.logFile },
      { label: "Schema", value: `Version ${String(status.store.schemaVersion)}` },
      { label: "Active sessions", value: status.activeSessions.toLocaleString(), note: "not ended, active in the last 4 hours" },
      {
        label: "Capture",
        value:
          capture === null || capture === undefined
            ? "Unknown"
            : !capture.paused
              ? "On"
              : until === null
                ? "Paused until you resume"
                : `Paused until ${clock(until, now)}`,
      },
    ],
  };
}
