/** Loads a stylesheet again that failed: Vite imports a part's code again, but asks for its styles only once. */

const RETRY_MS = 2_000;

/** Watch the page; returns a function that ends that. */
export function retryStylesheets(): () => void {
  const onError = ({ target }: Event): void => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    setTimeout(() => {
      target.replaceWith(target.cloneNode());
    }, RETRY_MS);
  };
  // It doesn't bubble.
  addEventListener("error", onError, true);
  return () => {
    removeEventListener("error", onError, true);
  };
}
