/** Samples for the tests of what searches. */

import type { FindReply, FoundGroup, FoundItem, FoundKind, SettingRow, SettingsReply } from "$lib/api/client";

export function found(kind: FoundKind, id: string, more: Partial<FoundItem> = {}): FoundItem {
  return { kind, id, title: `${kind} ${id}`, text: "", detail: "", words: [], project: null, at: null, score: 0.5, ...more };
}

export function group(kind: FoundKind, items: FoundItem[], more = false): FoundGroup {
  return { kind, items, more };
}

export function reply(...groups: FoundGroup[]): FindReply {
  return { groups };
}

export function setting(key: string, label: string, more: Partial<SettingRow> = {}): SettingRow {
  return {
    key,
    label,
    help: "",
    group: "Advanced",
    kind: "switch",
    unit: "",
    default: true,
    value: true,
    origin: "default",
    isSet: false,
    given: null,
    problem: "",
    whole: false,
    low: null,
    high: null,
    choices: [],
    needsRestart: false,
    consequence: null,
    secret: false,
    line: null,
    harness: null,
    words: "",
    ...more,
  };
}

export function settingsReply(settings: SettingRow[], facts: SettingsReply["facts"] = []): SettingsReply {
  const file = { path: "/work/agent.yaml", exists: true, writable: true, fingerprint: "", problem: null };
  return { groups: [...new Set(settings.map(({ group: name }) => name))], settings, facts, unused: [], file };
}
