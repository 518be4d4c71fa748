import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api } from "$lib/api/client";
import { reply, setting, settingsReply } from "$lib/finding/finding-samples";
import { settingsList } from "$lib/finding/found-settings.svelte";
import { PaletteState } from "$lib/keys/palette/palette-state.svelte";

import { appShortcuts } from "./app-shortcuts";

/** Some of the settings, as they are declared. */
const SETTINGS = settingsReply(
  [
    setting("desktop.notifications", "Desktop notifications", {
      group: "Notifications and tray",
      words: "mute silence stop popup tray",
    }),
    setting("desktop.quietFrom", "Quiet hours from", {
      group: "Notifications and tray",
      words: "night schedule do not disturb mute silence stop notifications sleep",
    }),
    setting("backup.enabled", "Back up the database once a day", { group: "Privacy and retention", words: "backup save copy" }),
    setting("memory.restoreDays", "Forgotten memories can be restored for", {
      group: "Privacy and retention",
      words: "undo trash recover",
    }),
    setting("daemon.logLevel", "Log level", { words: "logging verbose" }),
    setting("embedding.provider", "Model for search by meaning", {
      group: "Models",
      words: "embedding provider which model llm ai offline local",
    }),
    setting("embedding.model", "Name of the model on the server", { group: "Models", words: "embedding" }),
    setting("daemon.readers", "Reader threads", { words: "concurrency database" }),
    setting("capture.keepAt", "How sure capture must be to save", {
      group: "Capture",
      words: "keep less more save capture fewer memories threshold confidence",
    }),
    setting("hooks.promptTokens", "Token limit per prompt", { group: "What agents are told", words: "tell less budget inject context" }),
  ],
  [
    { id: "database", group: "Privacy and retention", label: "Database", value: "/home/ann/.agents/memory", help: "One SQLite file." },
    { id: "workspace", group: "Privacy and retention", label: "Workspace", value: "/home/ann/.agents", help: "Copy it to take all along." },
    { id: "model", group: "Models", label: "Embedding model in use", value: "onnx: all-MiniLM-L6-v2", help: "" },
  ],
);

let palette: PaletteState;

beforeEach(async () => {
  vi.useFakeTimers();
  localStorage.clear();
  vi.spyOn(api, "find").mockResolvedValue(reply());
  vi.spyOn(api, "settings").mockResolvedValue(SETTINGS);
  settingsList.set(SETTINGS);
  const commands = appShortcuts(vi.fn(), vi.fn()).filter(({ when }) => when?.() !== false);
  palette = new PaletteState(false, () => commands);
  palette.prepare();
  await vi.waitFor(() => {
    palette.type("help");
    expect(palette.groups.map(({ name }) => name)).toContain("Help");
  });
});

afterEach(() => {
  palette.stop();
  vi.useRealTimers();
});

test.each([
  ["growth", "Statistics"],
  ["statistics", "Statistics"],
  ["stats", "Statistics"],
  ["how many", "Statistics"],
  ["database", "Database"],
  ["where is my data", "Database"],
  ["log", "Logs"],
  ["logs", "Logs"],
  ["status", "Health"],
  ["diagnostics", "Health"],
  ["doctor", "Health"],
  ["backup", "Back up the database once a day"],
  ["restore", "Forgotten memories"],
  ["privacy", "Privacy and security"],
  ["export", "Workspace"],
  ["import", "Import"],
  ["dark mode", "Theme: dark"],
  ["night mode", "Theme: dark"],
  ["quiet", "Quiet hours from"],
  ["mute", "Desktop notifications"],
  ["undo", "Forgotten memories"],
  ["trash", "Forgotten memories"],
  ["deleted", "Forgotten memories"],
  ["people", "Entities"],
  ["suggestions", "Inbox"],
  ["approve", "Inbox"],
  ["conversations", "Sessions"],
  ["transcripts", "Sessions"],
  ["prompts", "Sessions"],
  ["git", "Commits"],
  ["jobs", "Queue"],
  ["install", "Connections"],
  ["mcp", "Connections"],
  ["hotkeys", "Keyboard shortcuts"],
  ["documentation", "Help"],
  ["version", "Health"],
  ["which model", "Model for search by meaning"],
  ["which model", "Embedding model in use"],
  ["my data", "Database"],
  ["stop notifications at night", "Quiet hours from"],
  ["keep less", "How sure capture must be to save"],
  ["tell less", "Token limit per prompt"],
  ["favourites", "Pinned memories"],
  ["open entities", "Entities"],
  ["constellation", "Constellation"],
  ["map", "Constellation"],
  ["clusters", "Constellation"],
])("“%s” leads to %s", async (words, destination) => {
  palette.type(words);
  await vi.runAllTimersAsync();
  expect(palette.entries.slice(0, 2).map(({ label }) => label)).toContain(destination);
});
