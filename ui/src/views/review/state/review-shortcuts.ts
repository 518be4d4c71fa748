/** The shortcuts of the Capture review view. */

import type { Shortcut } from "$lib/keys/registry.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import type { ReviewPage } from "./review-page.svelte";

export function reviewShortcuts(page: ReviewPage): Shortcut[] {
  const group = "Capture review";
  const hasTargets = (): boolean => page.targets.length > 0;
  return [
    {
      id: "review.clear",
      keys: ["Escape"],
      label: "Clear selection",
      group,
      when: () => page.selection.rows.size > 0,
      run: () => {
        page.selectNone();
      },
    },
    {
      id: "review.close",
      keys: ["Escape"],
      label: "Back to the list",
      group,
      when: () => page.isSinglePane && page.isReading,
      run: () => {
        page.close();
      },
    },
    {
      id: "review.keep",
      keys: ["y"],
      label: "Keep",
      group,
      words: "reviewed right",
      when: hasTargets,
      run: () => void page.actions.keepTargets(),
    },
    {
      id: "review.forget",
      keys: ["#"],
      label: "Forget",
      group,
      words: "delete remove",
      when: hasTargets,
      run: () => void page.actions.forgetTargets(),
    },
    {
      id: "review.forgetAll",
      keys: [],
      label: "Forget all of the review",
      group,
      words: "delete remove bulk",
      when: hasTargets,
      run: () => void page.actions.forgetAll(),
    },
    {
      id: "review.undo",
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
