/** The shortcuts of the Logs view. */

import type { Shortcut } from "$lib/keys/registry.svelte";

import { copyLine, copyLoaded, saveLines } from "./log-files";
import type { LogsPage } from "./logs-page.svelte";

export function logsShortcuts(page: LogsPage): Shortcut[] {
  const group = "Logs";
  const hasLines = (): boolean => page.items.rows.length > 0;
  return [
    {
      id: "logs.close",
      keys: ["Escape"],
      label: "Back to the list",
      group,
      when: () => page.isSinglePane && page.isReading,
      run: () => {
        page.close();
      },
    },
    {
      id: "logs.follow",
      keys: ["w"],
      label: "Follow or pause",
      group,
      words: "watch tail live stream new lines",
      run: () => {
        page.setFollowing(!page.items.isFollowing);
      },
    },
    {
      id: "logs.copy",
      keys: ["c"],
      label: "Copy the line",
      group,
      when: () => page.current !== undefined,
      run: () => {
        if (page.current !== undefined) void copyLine(page.current);
      },
    },
    { id: "logs.copyLoaded", keys: [], label: "Copy all loaded lines", group, when: hasLines, run: () => void copyLoaded(page) },
    {
      id: "logs.save",
      keys: [],
      label: "Download the log",
      group,
      words: "save export file",
      when: hasLines,
      run: () => void saveLines(page),
    },
  ];
}
