/** The error type of all API calls. */

import type { components } from "./schema";

type Problem = components["schemas"]["Problem"];

/** What only a program can follow: an endpoint, or a field of a request. */
const FOR_PROGRAMS = /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/api\/|\bconfirmToken\b|\bif_versions?\b|\bcursor\b|^(?:Send|Omit)\b/u;

/** End a sentence with a full stop. */
function sentence(text: string): string {
  return /[\p{L}\p{N}`)”"]$/u.test(text) ? `${text}.` : text;
}

/** The sentences of a hint that a person can follow. */
function hintForPeople(hint: string): string {
  const parts = hint.split(/(?<=\.)\s+|;\s+/u);
  return parts
    .map((part, at) => (at === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .filter((part) => part !== "" && !FOR_PROGRAMS.test(part))
    .map(sentence)
    .join(" ");
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly hint: string;
  /** What a change of a memory came to: `version_conflict`, `already_deleted`, …; empty for anything else. */
  readonly outcome: string;

  constructor(
    status: number,
    problem: Pick<Problem, "code" | "title" | "detail"> & { hint?: string | undefined; outcome?: string | undefined },
  ) {
    super(problem.detail);
    this.name = "ApiError";
    this.status = status;
    this.code = problem.code;
    this.title = problem.title;
    this.hint = problem.hint ?? "";
    this.outcome = problem.outcome ?? "";
  }

  /** This browser has no session. */
  get isSignedOut(): boolean {
    return this.code === "signed_out";
  }
}

export function unreachable(): ApiError {
  return new ApiError(0, {
    code: "unreachable",
    title: "Can't reach the daemon",
    detail: "Intaglio isn't running on this computer.",
    hint: "Start it with `intaglio daemon start`.",
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Parse an error response, whatever its body looks like. */
export function problemOf(status: number, body: unknown): ApiError {
  const fields: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  return new ApiError(status, {
    code: text(fields.code) ?? "error",
    title: text(fields.title) ?? `Request failed (${String(status)})`,
    detail: sentence(text(fields.detail) ?? text(fields.error) ?? "The daemon gave no reason."),
    hint: hintForPeople(text(fields.hint) ?? ""),
    // A refused change says so in the place of the HTTP status.
    outcome: text(fields.status),
  });
}

/** Wrap any thrown value in an ApiError; check for aborted calls first. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError(0, {
    code: "page",
    title: "Something went wrong",
    detail: thrown instanceof Error ? thrown.message : String(thrown),
    hint: "Reload the page.",
  });
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}
