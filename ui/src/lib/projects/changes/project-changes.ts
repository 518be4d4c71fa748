/** Changes of whole projects, each reported with Undo. */

import { api, type ProjectChange, type ProjectChangeReply } from "$lib/api/client";
import { reportFailure } from "$lib/memory/memory-actions";
import { projectName } from "$lib/memory/types";
import { plural } from "$lib/plural";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

/** What was done, as a sentence. */
export function doneText(reply: ProjectChangeReply): string {
  const name = projectName(reply.project);
  const memories = plural(reply.contents.memories, "memory", "memories");
  switch (reply.kind) {
    case "move":
      return `Moved ${memories} to ${reply.target ?? ""}.`;
    case "merge":
      return `Merged ${memories} into ${projectName(reply.target ?? "")}.`;
    case "rename":
      return reply.name === null ? `${name} has its directory’s name again.` : `Renamed to ${reply.name}.`;
    case "archive":
      return `Archived ${name}.`;
    case "unarchive":
      return `${name} is no longer archived.`;
    case "keep_apart":
      return "They stay two projects.";
  }
}

/** What a move or a merge takes along: “12 memories, 3 sessions and 1 inbox item”. */
export function contentsText({ contents }: ProjectChangeReply): string {
  const parts = [plural(contents.memories, "memory", "memories")];
  if (contents.forgotten > 0) parts.push(`${contents.forgotten.toLocaleString()} forgotten`);
  if (contents.sessions > 0) parts.push(plural(contents.sessions, "session"));
  if (contents.open > 0) parts.push(plural(contents.open, "inbox item"));
  if (contents.entities > 0) parts.push(plural(contents.entities, "entity", "entities"));
  const last = parts.length > 1 ? ` and ${parts.pop() ?? ""}` : "";
  return parts.join(", ") + last;
}

/** Make a change; rejects if it is refused. */
export async function makeChange(change: ProjectChange): Promise<ProjectChangeReply> {
  const reply = await api.changeProject(change);
  const { id } = reply;
  if (id === null) toasts.add("Nothing changed.");
  else offerUndo({ text: doneText(reply), undo: () => api.undoProjectChange(id) });
  return reply;
}

/** Make a change that needs no dialog; false if it failed, which is reported. */
export async function changeNow(change: ProjectChange): Promise<boolean> {
  try {
    await makeChange(change);
    return true;
  } catch (thrown) {
    reportFailure("Couldn't change the project", thrown);
    return false;
  }
}
