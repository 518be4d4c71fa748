/** Tells whether focus may be moved after a request: not if the user moved it in the meantime. */

/** Remember the focused element; the returned function tells whether it still has focus, or nothing does. */
export function watchFocus(): () => boolean {
  const before = document.activeElement;
  return () => [before, document.body, null].includes(document.activeElement);
}
