/** The calls about settings. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type SettingRow = Schemas["SettingRow"];
export type SettingValue = SettingRow["value"];
export type SettingFact = Schemas["SettingFact"];
export type UnusedKey = Schemas["UnusedKey"];
export type SettingsFileState = Schemas["SettingsFileState"];
export type SettingsReply = Schemas["SettingsReply"];
export type SettingChange = Schemas["SettingChange"];
export type SettingsChangeReply = Schemas["SettingsChangeReply"];
export type UninstallPreview = Schemas["UninstallReply"];
export type UninstallItem = Schemas["UninstallItemReply"];

export const settingsCalls = {
  settings: (signal?: AbortSignal): Promise<SettingsReply> => unwrap(http.GET("/api/settings", definedOnly({ signal }))),

  /** What uninstalling would remove, and what it keeps. */
  uninstallPreview: (signal?: AbortSignal): Promise<UninstallPreview> => unwrap(http.GET("/api/uninstall", definedOnly({ signal }))),

  /** Write the changes together; null removes a setting from the file. Refused with a consequence that isn't `confirmed`. */
  changeSettings: (changes: SettingChange[], confirmed = false): Promise<SettingsChangeReply> =>
    unwrap(http.POST("/api/settings", { body: { changes, confirmed } })),
};
