/** The filters of the list of commits as a URL: `/memories?commits=1&project=…&q=…`. */

import { flag, text, urlFilters, words } from "$lib/list/url-filters";

export interface CommitFilters {
  /** Always set: without it, the address is that of the memories. */
  readonly commits: boolean;
  readonly q: string;
  readonly project: string | undefined;
}

export const COMMIT_URL = urlFilters<CommitFilters>({ commits: { ...flag, none: true, stays: true }, q: words, project: text });
