import { describe, expect, it } from "vitest";

import { isAbort } from "./errors";
import { unwrap, withTimeout } from "./http";

/** Never answers; ends as the browser's does when it is told to. */
function hanging(_: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener("abort", () => {
      reject(init.signal?.reason as Error);
    });
  });
}

function asked(signal?: AbortSignal): Request {
  return new Request("http://127.0.0.1/health", signal === undefined ? {} : { signal });
}

function answer(call: Promise<Response>): Promise<{ data: unknown; response: Response }> {
  return call.then((response) => ({ data: {}, response }));
}

describe("a call", () => {
  it("that is never answered ends as one that cannot be reached", async () => {
    const call = unwrap(answer(withTimeout(10, hanging)(asked())));
    await expect(call).rejects.toMatchObject({ code: "unreachable" });
  });

  it("that its caller gives up is told from that", async () => {
    const work = new AbortController();
    const call = unwrap(answer(withTimeout(60_000, hanging)(asked(work.signal))));
    work.abort();
    const thrown: unknown = await call.catch((error: unknown) => error);
    expect(isAbort(thrown)).toBe(true);
  });

  it("that is answered in time gives what was answered", async () => {
    const response = await withTimeout(60_000, () => Promise.resolve(Response.json({ well: true })))(asked());
    expect(await response.json()).toEqual({ well: true });
  });
});
