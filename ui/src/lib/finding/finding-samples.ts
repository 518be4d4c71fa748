/** Samples for the tests of what searches. */

import type { FindReply, FoundGroup, FoundItem, FoundKind, SettingRow, SettingsReply } from "$lib/api/client";
import { settingRow, settingsReply as replyWith } from "$lib/settings/testing";

export function found(kind: FoundKind, id: string, more: Partial<FoundItem> = {}): FoundItem {
  return { kind, id, title: `${kind} ${id}`, text: "", detail: "", words: [], state: "", project: null, at: null, score: 0.5, ...more };
}

export function group(kind: FoundKind, items: FoundItem[], more = false): FoundGroup {
  return { kind, items, more };
}

export function reply(...groups: FoundGroup[]): FindReply {
  return { groups };
}

export function setting(key: string, label: string, more: Partial<SettingRow> = {}): SettingRow {
  return settingRow({ key, label, kind: "switch", group: "Advanced", ...more });
}

export function settingsReply(settings: SettingRow[], facts: SettingsReply["facts"] = []): SettingsReply {
  return replyWith(settings, { groups: [...new Set(settings.map(({ group: name }) => name))], facts });
}
