/** The shortcuts of the list of commits. */

import { copyText } from "$lib/copy/copy-text";
import type { Shortcut } from "$lib/keys/registry.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import type { CommitsPage } from "./commits-page.svelte";

export function commitShortcuts(page: CommitsPage): Shortcut[] {
  const group = "Commits";
  const hasCurrent = (): boolean => page.current !== undefined;
  return [
    {
      id: "commits.close",
      keys: ["Escape"],
      label: "Back to the list",
      group,
      when: () => page.isSinglePane && page.isReading,
      run: () => {
        page.close();
      },
    },
    {
      id: "commits.copyHash",
      keys: ["y"],
      label: "Copy the hash",
      group,
      when: hasCurrent,
      run: () => {
        if (page.current !== undefined) void copyText(page.current.hash, "Copied the hash.");
      },
    },
    { id: "commits.forget", keys: ["#"], label: "Forget", group, words: "delete remove", when: hasCurrent, run: () => void page.forget() },
    {
      id: "commits.undo",
      keys: ["u"],
      label: "Undo",
      group,
      when: () => toasts.undoable !== undefined,
      run: () => {
        toasts.undo();
      },
    },
  ];
}
