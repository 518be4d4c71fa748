/** The commands of the palette that lead to a project or a session. */

import { api, type ProjectRow, type SessionRow } from "$lib/api/client";
import { inWords } from "$lib/components/time/format";
import { projectName } from "$lib/memory/types";
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

export function projectActions(projects: readonly ProjectRow[]): readonly Shortcut[] {
  // Ids are stored separated by spaces.
  return projects.map(({ key, name }) =>
    commandTo(`project.${encodeURIComponent(key)}`, `Switch to project ${name}`, PROJECTS, projectPath(key), `go to open ${key}`),
  );
}

export function sessionActions(sessions: readonly SessionRow[], now: number): readonly Shortcut[] {
  return sessions.map(({ id, project, lastActive }) => {
    const where = project === null ? "without a project" : `in ${projectName(project)}`;
    return commandTo(
      `session.${id}`,
      `Session ${where}, ${inWords(lastActive, now)}`,
      SESSIONS,
      `/sessions/${encodeURIComponent(id)}`,
      "go to open",
    );
  });
}

/** The sessions that were active last. */
export class RecentSessions extends Resource<readonly SessionRow[]> {
  protected async read(signal: AbortSignal): Promise<readonly SessionRow[]> {
    return (await api.sessions({ limit: SHOWN_SESSIONS }, signal)).sessions;
  }
}
