/** Captures and restores scroll positions and focus of a view. */

export interface ViewPosition {
  /** Scrolled elements by their path in the DOM. */
  readonly scrolled: readonly { readonly path: readonly number[]; readonly top: number }[];
  readonly focused: { readonly path: readonly number[]; readonly text: string } | undefined;
}

/** How long to wait for late data. */
const PATIENCE_MS = 3_000;
const HEADING = "h1";

function pathOf(root: Element, element: Element): number[] {
  const path: number[] = [];
  for (let one = element; one !== root && one.parentElement !== null; one = one.parentElement) {
    path.unshift([...one.parentElement.children].indexOf(one));
  }
  return path;
}

function elementAt(root: Element, path: readonly number[]): Element | undefined {
  return path.reduce<Element | undefined>((one, index) => one?.children[index], root);
}

/** `last` is the element that had focus last, if focus has moved elsewhere. */
export function capturePosition(root: HTMLElement, last: Element | null = document.activeElement): ViewPosition {
  const scrolled = [...root.querySelectorAll("*")]
    .filter((one) => one.scrollTop > 0)
    .map((one) => ({ path: pathOf(root, one), top: one.scrollTop }));
  const isInside = last instanceof HTMLElement && last !== root && root.contains(last);
  const focused = isInside ? { path: pathOf(root, last), text: last.textContent } : undefined;
  return { scrolled, focused };
}

/** Focus the heading for screen readers, unless something in the view has focus. */
function toHeading(root: HTMLElement): void {
  if (document.activeElement !== root && root.contains(document.activeElement)) return;
  const heading = root.querySelector<HTMLElement>(HEADING);
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

function scrollBack(root: HTMLElement, spot: ViewPosition): boolean {
  return spot.scrolled.every(({ path, top }) => {
    const element = elementAt(root, path);
    if (element === undefined) return false;
    if (element.scrollTop < top) element.scrollTop = top;
    return element.scrollTop >= top - 1;
  });
}

function focusBack(root: HTMLElement, spot: ViewPosition): boolean {
  if (spot.focused === undefined) return true;
  const element = elementAt(root, spot.focused.path);
  if (!(element instanceof HTMLElement) || element.textContent !== spot.focused.text) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Restore scroll and focus as content loads, until the user acts; returns a function that stops. */
export function restorePosition(root: HTMLElement, spot: ViewPosition | undefined): () => void {
  toHeading(root);
  if (spot === undefined || (scrollBack(root, spot) && focusBack(root, spot))) return () => undefined;
  const ended = new AbortController();
  const { signal } = ended;
  const watcher = new MutationObserver(() => {
    if (scrollBack(root, spot) && focusBack(root, spot)) ended.abort();
  });
  const timer = setTimeout(() => {
    ended.abort();
  }, PATIENCE_MS);
  signal.addEventListener("abort", () => {
    watcher.disconnect();
    clearTimeout(timer);
  });
  for (const type of ["keydown", "pointerdown", "wheel"]) {
    addEventListener(
      type,
      () => {
        ended.abort();
      },
      { signal, capture: true, passive: true },
    );
  }
  watcher.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["style"] });
  return () => {
    ended.abort();
  };
}
