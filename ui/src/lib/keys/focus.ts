/** Whether the focus may be moved when an answer comes: not where the user took it elsewhere meanwhile. */

/** Notes where the focus is; what it returns says whether it is still there, or nowhere. */
export function watchFocus(): () => boolean {
  const before = document.activeElement;
  return () => [before, document.body, null].includes(document.activeElement);
}
