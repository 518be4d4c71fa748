/** What can be done with a memory of a session. */

export interface MemoryFeedback {
  readonly useful: (id: string) => void;
  /** Forget it, which is also what is done with a wrong one. */
  readonly forget: (id: string) => void;
  readonly old: (id: string) => void;
  /** Whether it was marked as useful on this page. */
  readonly isUseful: (id: string) => boolean;
}
