/** Settings for tests. */

import type { SettingRow, SettingsReply } from "$lib/api/client";

export function settingRow(own: Partial<SettingRow> & Pick<SettingRow, "key">): SettingRow {
  const kind = own.kind ?? "number";
  const value = { switch: true, choice: "all", number: 10, text: "", shortcut: "" }[kind];
  return {
    label: own.key,
    help: "",
    group: "Capture",
    kind,
    unit: "",
    default: value,
    value,
    origin: "default",
    isSet: false,
    given: null,
    problem: "",
    whole: true,
    low: null,
    high: null,
    choices: [],
    needsRestart: false,
    consequence: null,
    secret: false,
    line: null,
    harness: null,
    words: "",
    notice: "",
    ...own,
  };
}

export function settingsReply(settings: SettingRow[], own: Partial<SettingsReply> = {}): SettingsReply {
  return {
    groups: ["Capture", "What agents are told", "Advanced"],
    settings,
    facts: [],
    unused: [],
    file: { path: "/home/ada/.agents/agent.yaml", exists: true, writable: true, fingerprint: "1", problem: null },
    ...own,
  };
}
