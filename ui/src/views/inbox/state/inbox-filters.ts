/** The filters of the Inbox view as a URL: `/inbox?status=done&kind=suggestion&project=…`. */

import type { InboxRow } from "$lib/api/client";

import { KINDS } from "../kinds/registry";

export type ItemKind = InboxRow["kind"];

export interface InboxFilters {
  readonly status: "open" | "done";
  readonly kind: ItemKind | undefined;
  readonly project: string | undefined;
}

/** Read the filters; an unknown value counts as none. */
export function readFilters(query: URLSearchParams): InboxFilters {
  const project = query.get("project");
  return {
    status: query.get("status") === "done" ? "done" : "open",
    kind: KINDS.find(({ kind }) => kind === query.get("kind"))?.kind,
    project: project === null || project === "" ? undefined : project,
  };
}

/** The query of the filters, without the defaults. */
export function writeFilters({ status, kind, project }: InboxFilters): URLSearchParams {
  const query = new URLSearchParams();
  if (status !== "open") query.set("status", status);
  if (kind !== undefined) query.set("kind", kind);
  if (project !== undefined) query.set("project", project);
  return query;
}

/** Whether anything but the status is filtered by. */
export function isFiltered({ kind, project }: InboxFilters): boolean {
  return kind !== undefined || project !== undefined;
}
