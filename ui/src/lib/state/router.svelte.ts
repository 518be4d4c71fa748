/** The router: path and query of the URL, and guards that confirm leaving. */

/** Whether leaving for that path would lose unsaved input; undefined: the page closes. */
export type UnsavedGuard = (to: string | undefined) => boolean;

/** The path and query of a navigation. */
interface Destination {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** What caused the last navigation. */
export type NavigationKind = "first" | "go" | "history";

function stepOf(state: unknown): number | undefined {
  const at = typeof state === "object" && state !== null && "at" in state ? state.at : undefined;
  return typeof at === "number" ? at : undefined;
}

export class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));
  /** A navigation that waits until the user confirms discarding changes. */
  pendingNavigation = $state.raw<() => void>();
  arrival: NavigationKind = "first";
  /** The index of the current history entry. */
  at: number;
  /** Each with the parameters of the query whose change it confirms. */
  readonly #guards = new Map<UnsavedGuard, readonly string[]>();
  readonly #listening = new AbortController();
  /** Why the next `popstate` occurs, if the router caused it. */
  #expected: "return" | "leave" | undefined;

  constructor() {
    this.at = stepOf(history.state) ?? 0;
    history.replaceState({ at: this.at }, "");
    const { signal } = this.#listening;
    addEventListener(
      "popstate",
      (event) => {
        this.#moved(stepOf(event.state));
      },
      { signal },
    );
    addEventListener(
      "beforeunload",
      (event) => {
        if (this.#loses(undefined)) event.preventDefault();
      },
      { signal },
    );
  }

  /** Stop following the browser's history. */
  stop(): void {
    this.#listening.abort();
  }

  /**
   * Navigate. `replace` adds no history entry, for changes at every keystroke. False if the user has
   * to confirm first.
   */
  go(path: string, query = new URLSearchParams(), how: "push" | "replace" = "push"): boolean {
    if (!this.#loses({ path, query })) {
      this.#take(path, query, how);
      return true;
    }
    this.pendingNavigation = () => {
      this.#take(path, query, how);
    };
    return false;
  }

  /**
   * Add a guard that is called before the path changes or the page closes; returns a function that
   * removes it. A change of the query alone needs confirmation only if it changes one of the
   * `parameters`, which decide what the page shows.
   */
  guard(guard: UnsavedGuard, parameters: readonly string[] = []): () => void {
    this.#guards.set(guard, parameters);
    return () => this.#guards.delete(guard);
  }

  /** Discard the changes and take the pending navigation. */
  leave(): void {
    const step = this.pendingNavigation;
    this.pendingNavigation = undefined;
    step?.();
  }

  stay(): void {
    this.pendingNavigation = undefined;
  }

  #loses(to: Destination | undefined): boolean {
    const isLeft = (parameters: readonly string[]): boolean =>
      to?.path !== this.path || parameters.some((name) => to.query.get(name) !== this.query.get(name));
    return [...this.#guards].some(([guard, parameters]) => isLeft(parameters) && guard(to?.path));
  }

  #take(path: string, query: URLSearchParams, how: "push" | "replace"): void {
    const text = query.toString();
    const url = text === "" ? path : `${path}?${text}`;
    if (url === location.pathname + location.search) return;
    if (how === "push") history.pushState({ at: ++this.at }, "", url);
    else history.replaceState({ at: this.at }, "", url);
    this.#show("go", path, query);
  }

  #show(arrival: NavigationKind, path: string, query: URLSearchParams): void {
    this.arrival = arrival;
    this.path = path;
    this.query = query;
  }

  /** The browser went back or forward; its URL has already changed. */
  #moved(at: number | undefined): void {
    const expected = this.#expected;
    this.#expected = undefined;
    if (expected === "return") return;
    const by = (at ?? this.at) - this.at;
    const to = { path: location.pathname, query: new URLSearchParams(location.search) };
    if (expected === undefined && by !== 0 && this.#loses(to)) {
      // Return to the unsaved changes; navigate again once the user confirms.
      this.#expected = "return";
      history.go(-by);
      this.pendingNavigation = () => {
        this.#expected = "leave";
        history.go(by);
      };
      return;
    }
    this.at = at ?? this.at;
    this.#show("history", to.path, to.query);
  }
}

export const router = new Router();
