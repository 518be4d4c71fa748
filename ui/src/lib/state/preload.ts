import { connection } from "./connection.svelte";

/**
 * Load code once the page is idle, so that it's there when it's needed; returns a function that
 * cancels it. Nothing is requested while the daemon is gone: its port may belong to a stranger by then.
 */
export function preloadWhenIdle(loads: readonly (() => Promise<unknown>)[], idleMs: number): () => void {
  const timer = setTimeout(() => {
    if (connection.link === "lost") return;
    // It is loaded again when it's needed; a failure is reported then.
    for (const load of loads) load().catch(() => undefined);
  }, idleMs);
  return () => { clearTimeout(timer); };
}
