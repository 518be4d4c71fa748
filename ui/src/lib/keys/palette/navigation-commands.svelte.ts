/** The commands of the palette that lead to a project or a session. */

import { api, type ProjectRow, type SessionRow } from "$lib/api/client";
import { inWords } from "$lib/components/time/format";
import { projectPath } from "$lib/projects/projects.svelte";
import { navigate } from "$lib/state/internal-links";
import { Resource } from "$lib/state/resource.svelte";

import type { Shortcut } from "../registry.svelte";

export const PROJECTS = "Projects";
export const SESSIONS = "Recent sessions";
const SHOWN_SESSIONS = 5;

function commandTo(id: string, label: string, group: string, path: string, words: string): Shortcut {
  return {
    id,
    keys: [],
    label,
    group,
    words,
    run: () => {
      navigate(new URL(path, location.origin));
    },
  };
}

/** The id of the command that leads to a project; ids are stored separated by spaces. */
export function projectCommandId(key: string): string {
  return `project.${encodeURIComponent(key)}`;
}

export function projectActions(projects: readonly ProjectRow[]): readonly Shortcut[] {
  return projects.map(({ key, name }) => commandTo(projectCommandId(key), `Switch to project ${name}`, PROJECTS, projectPath(key), key));
}

export function sessionActions(sessions: readonly SessionRow[], now: number): readonly Shortcut[] {
  return sessions.map((session) =>
    commandTo(
      `session.${session.id}`,
      `${session.title}, ${inWords(session.lastActive, now)}`,
      SESSIONS,
      `/sessions/${encodeURIComponent(session.id)}`,
      "",
    ),
  );
}

/** The sessions that were active last. */
export class RecentSessions extends Resource<readonly SessionRow[]> {
  protected async read(signal: AbortSignal): Promise<readonly SessionRow[]> {
    return (await api.sessions({ limit: SHOWN_SESSIONS }, signal)).sessions;
  }
}
