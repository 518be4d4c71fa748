/** What the page needs from its components. */

export interface InboxListHandle {
  focusRow: (index: number) => void;
  show: (id: string) => void;
  hasFocus: () => boolean;
  page: () => number;
  move: (by: number) => void;
  toTop: () => void;
}

export interface PaneHandle {
  focus: () => void;
  hasFocus: () => boolean;
}
