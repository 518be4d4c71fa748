/** Where the page is: path and query of the address, readable and settable; and who is asked before it is left. */

/** Whether leaving for that path would lose what someone typed; without a path: the page closes. */
export type UnsavedGuard = (to: string | undefined) => boolean;

/** How the page came to where it is. */
export type NavigationKind = "first" | "go" | "history";

function stepOf(state: unknown): number | undefined {
  const at = typeof state === "object" && state !== null && "at" in state ? state.at : undefined;
  return typeof at === "number" ? at : undefined;
}

export class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));
  /** A step that waits until someone says that what they typed may go. */
  pendingNavigation = $state.raw<() => void>();
  arrival: NavigationKind = "first";
  /** Which step of the browser's history this is; what lies behind or before has another number. */
  at: number;
  readonly #guards = new Set<UnsavedGuard>();
  readonly #listening = new AbortController();
  /** What the next `popstate` is, where this page caused it. */
  #expected: "return" | "leave" | undefined;

  constructor() {
    this.at = stepOf(history.state) ?? 0;
    history.replaceState({ at: this.at }, "");
    const { signal } = this.#listening;
    addEventListener("popstate", (event) => { this.#moved(stepOf(event.state)); }, { signal });
    addEventListener(
      "beforeunload",
      (event) => {
        if (this.#loses(undefined)) event.preventDefault();
      },
      { signal },
    );
  }

  /** No longer follow the browser's history. */
  stop(): void {
    this.#listening.abort();
  }

  /**
   * Go somewhere. `replace` leaves no step to go back to: for what changes key by key. False where
   * someone is asked first; the step is taken later then, or never.
   */
  go(path: string, query = new URLSearchParams(), how: "push" | "replace" = "push"): boolean {
    if (!this.#loses(path)) {
      this.#take(path, query, how);
      return true;
    }
    this.pendingNavigation = () => { this.#take(path, query, how); };
    return false;
  }

  /**
   * Be asked before the path changes or the page closes; returns what ends it. A change of the query
   * alone asks nobody.
   */
  guard(guard: UnsavedGuard): () => void {
    this.#guards.add(guard);
    return () => this.#guards.delete(guard);
  }

  /** What was typed may go. */
  leave(): void {
    const step = this.pendingNavigation;
    this.pendingNavigation = undefined;
    step?.();
  }

  stay(): void {
    this.pendingNavigation = undefined;
  }

  #loses(path: string | undefined): boolean {
    return path !== this.path && [...this.#guards].some((guard) => guard(path));
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

  /** The browser went back or forth; its address has changed already. */
  #moved(at: number | undefined): void {
    const expected = this.#expected;
    this.#expected = undefined;
    if (expected === "return") return;
    const by = (at ?? this.at) - this.at;
    if (expected === undefined && by !== 0 && this.#loses(location.pathname)) {
      // Back to where the typed text is; the step is taken anew when it may go.
      this.#expected = "return";
      history.go(-by);
      this.pendingNavigation = () => {
        this.#expected = "leave";
        history.go(by);
      };
      return;
    }
    this.at = at ?? this.at;
    this.#show("history", location.pathname, new URLSearchParams(location.search));
  }
}

export const router = new Router();
