/** Where the page is: path and query of the address, readable and settable. */

class Place {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));

  constructor() {
    addEventListener("popstate", () => {
      this.path = location.pathname;
      this.query = new URLSearchParams(location.search);
    });
  }

  /** Go somewhere. `replace` leaves no step to go back to: for what changes key by key. */
  go(path: string, query: URLSearchParams, how: "push" | "replace" = "push"): void {
    const text = query.toString();
    const url = text === "" ? path : `${path}?${text}`;
    if (url === location.pathname + location.search) return;
    if (how === "push") history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    this.path = path;
    this.query = query;
  }
}

export const place = new Place();
