/** A commit with its whole message and its files. */

import { api, type CommitDetail, type CommitRef } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class OpenCommit extends Resource<CommitDetail, CommitRef> {
  constructor(commit: CommitRef) {
    super();
    this.params = commit;
  }

  protected read(signal: AbortSignal, commit: CommitRef): Promise<CommitDetail> {
    return api.commit(commit, signal);
  }
}
