/** What the page needs from the pane of the current item. */

export interface PaneHandle {
  focus: () => void;
  hasFocus: () => boolean;
}
