/** The HTTP client of the dashboard. */

import createClient from "openapi-fetch";

import type { ApiError } from "./errors";
import { isAbort, problemOf, unreachable } from "./errors";
import { requestTiming } from "./request-timing";
import type { paths } from "./schema";

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Longer than any request takes, even on a busy machine. */
export const REQUEST_TIMEOUT_MS = 60_000;

const listeners = new Set<(error: ApiError) => void>();

/** Listen for failed requests; returns a function that stops. */
export function onRefusal(listener: (error: ApiError) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Wrap a fetch with a timeout, so that a hanging daemon doesn't block requests forever. */
export function withTimeout(ms: number, fetches: typeof fetch): (request: Request) => Promise<Response> {
  return (request) => fetches(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(ms)]) });
}

export const http = createClient<paths>({
  baseUrl: location.origin,
  credentials: "same-origin",
  fetch: requestTiming.timed(withTimeout(REQUEST_TIMEOUT_MS, (...call) => fetch(...call))),
});

/** Resolve to the data or throw ApiError; an AbortError is passed on. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    throw unreachable();
  }
  if (answer.data !== undefined && answer.response.ok) return answer.data;
  const error = problemOf(answer.response.status, answer.error);
  for (const listener of listeners) listener(error);
  throw error;
}

/** Drop undefined and empty values: an absent filter differs from an empty one. */
export function definedOnly<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== "")) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
