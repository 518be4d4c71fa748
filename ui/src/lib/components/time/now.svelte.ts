/** The current moment, told anew every half minute to whoever shows it. */

import { createSubscriber } from "svelte/reactivity";

const TICK_MS = 30_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => { clearInterval(timer); };
});

export function now(): number {
  subscribe();
  return Date.now();
}
