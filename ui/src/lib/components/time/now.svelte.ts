/** The current time as a reactive value, updated every 30 seconds. */

import { createSubscriber } from "svelte/reactivity";

const TICK_MS = 30_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => {
    clearInterval(timer);
  };
});

export function now(): number {
  subscribe();
  return Date.now();
}
