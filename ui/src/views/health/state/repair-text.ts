/** Repairs and their maintenance in words. */

import type { RepairList } from "$lib/api/health";

/** A message of a repair as a sentence. */
export function sentence(message: string): string {
  return /[.!?]$/u.test(message) ? message : `${message}.`;
}

const MODES = {
  off: "Maintenance is off: nothing is repaired unless you ask for it.",
  observe: "Maintenance observes: it recommends repairs and changes nothing by itself.",
  execute: "Maintenance repairs by itself what it finds.",
};

export function maintenanceText({ maintenance, repairs }: RepairList): string {
  const { mode, recommended, halted, waiting } = maintenance;
  const titles = (actions: readonly string[]): string =>
    actions.map((action) => repairs.find((one) => one.action === action)?.title ?? action).join(", ");
  const parts = [MODES[mode]];
  if (mode !== "off" && recommended.length > 0) parts.push(`Recommended: ${titles(recommended)}.`);
  if (halted.length > 0) parts.push(`Halted, because three runs changed nothing for the better: ${titles(halted)}.`);
  if (waiting !== "") parts.push(`Heavy work waits: ${waiting}.`);
  return parts.join(" ");
}
