/** What the page lists: each setting once, with a row for each agent if every agent has its own value. */

import type { SettingRow, SettingsReply, SettingValue } from "$lib/api/client";
import { camelCase } from "./setting-path";

export interface Entry {
  /** The key in `agent.yaml`, with `<name>` in place of an agent. */
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly group: string;
  /** The first row; all rows of an entry are declared alike. */
  readonly row: SettingRow;
  /** One row, or one for each agent. */
  readonly rows: readonly SettingRow[];
  readonly isByAgent: boolean;
}

const AGENT = "<name>";

/** The key of a row with `<name>` in place of its agent. */
export function templateOf({ key, harness }: SettingRow): string {
  if (harness === null) return key;
  const name = camelCase(harness);
  return key
    .split(".")
    .map((part) => (part === name ? AGENT : part))
    .join(".");
}

/** The entries in the order of their groups. */
export function entriesOf({ groups, settings }: Pick<SettingsReply, "groups" | "settings">): readonly Entry[] {
  const byKey = new Map<string, SettingRow[]>();
  for (const row of settings) byKey.set(templateOf(row), [...(byKey.get(templateOf(row)) ?? []), row]);
  const entries = [...byKey].flatMap(([key, rows]) => {
    const [row] = rows;
    if (row === undefined) return [];
    return [{ key, label: row.label, help: row.help, group: row.group, row, rows, isByAgent: row.harness !== null }];
  });
  return groups.flatMap((group) => entries.filter((entry) => entry.group === group));
}

/** Whether a row has another value than its default. */
export function isChanged(row: SettingRow): boolean {
  return row.secret ? row.isSet : row.value !== row.default;
}

/** Whether a row can be reset: the file sets it, perhaps to its default or to what isn't valid. */
export function canReset(row: SettingRow): boolean {
  return row.origin === "file" || row.given !== null;
}

/** Whether the entry has changed for any agent. */
export function hasChanged({ rows }: Entry): boolean {
  return rows.some((row) => isChanged(row) || row.given !== null);
}

/** The row of a key, and its entry; for a key with `<name>`, the first agent's. */
export function find(entries: readonly Entry[], key: string): { entry: Entry; row: SettingRow } | undefined {
  for (const entry of entries) {
    const row = entry.rows.find((one) => one.key === key) ?? (entry.key === key ? entry.row : undefined);
    if (row !== undefined) return { entry, row };
  }
  return undefined;
}

/** A value as people read it: `600 tokens`, `On`, `Never`. */
export function shownValue(row: SettingRow, value: SettingValue): string {
  if (row.secret) return value === "" ? "None" : "Set";
  if (typeof value === "boolean") return value ? "On" : "Off";
  if (typeof value === "number")
    return `${value.toLocaleString("en", { maximumFractionDigits: 6 })}${row.unit === "" ? "" : ` ${row.unit}`}`;
  return row.choices.find((choice) => choice.value === value)?.label ?? (value === "" ? "Not set" : value);
}

/** Where the value comes from; empty if it is the default. */
export function originOf({ origin, line }: SettingRow): string {
  if (origin === "default") return "";
  return line === null ? "From agent.yaml" : `From agent.yaml, line ${String(line)}`;
}

const CONSEQUENCES = {
  tokens: ["costs tokens", "Can cost tokens"],
  sends: ["sends data", "Can send data"],
  deletes: ["deletes data", "Can delete data"],
} as const;

/** Whether the daemon would ask to confirm this change; null takes the default. */
export function mustConfirm({ consequence, value: before, unit, default: normal }: SettingRow, value: SettingValue | null): boolean {
  const after = value ?? normal;
  if (consequence === null || after === before) return false;
  const { values, change } = consequence;
  if (values.length > 0 && !values.includes(after)) return false;
  if (change === "any" || typeof before === "string" || typeof after === "string") return true;
  // A period of 0 days never ends.
  const size = (one: number | boolean): number => (unit === "days" && Number(one) === 0 ? Infinity : Number(one));
  return change === "more" ? size(after) > size(before) : size(after) < size(before);
}

/** What a change may lead to, in two or three words. */
export function consequenceName({ kind, values }: NonNullable<SettingRow["consequence"]>): string {
  const [does, can] = CONSEQUENCES[kind];
  const [value] = values;
  return values.length === 1 && typeof value === "boolean" ? `${value ? "On" : "Off"} ${does}` : can;
}
