import { beforeEach, expect, test, vi } from "vitest";

import { api, type InboxList, type InboxRow } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { INBOX_URL } from "./inbox-filters";
import { InboxItems } from "./inbox-items.svelte";

const row = (id: string, more: Partial<InboxRow> = {}): InboxRow =>
  ({ id, content: id, memories: [], entities: [], ...more }) as unknown as InboxRow;
const page = (ids: string, cursor: string | null = null): InboxList => ({ items: Array.from(ids, (id) => row(id)), cursor });

let items: InboxItems;
const shown = (): string => items.rows.map(({ id }) => id).join("");

beforeEach(() => {
  vi.restoreAllMocks();
  items = new InboxItems();
});

test("pages follow each other by cursor, and an item that moved to the next page is listed once", async () => {
  const read = vi.spyOn(api, "inbox").mockResolvedValueOnce(page("ab", "next")).mockResolvedValueOnce(page("bc"));
  await items.load();
  expect(read.mock.lastCall?.[0].cursor).toBe("next");
  expect(shown()).toBe("abc");
  expect(items.isComplete).toBe(true);
});

test("the next page is loaded once, and its failure leaves what is shown, until it is tried again", async () => {
  const many = Array.from({ length: 100 }, (_, index) => row(`r${String(index)}`));
  const read = vi.spyOn(api, "inbox").mockResolvedValueOnce({ items: many, cursor: "next" });
  await items.load();
  read.mockRejectedValueOnce(new ApiError(500, { code: "x", title: "t", detail: "It broke." }));
  await items.more();
  await items.more();
  expect(read).toHaveBeenCalledTimes(2);
  expect([items.rows.length, items.moreError?.message]).toEqual([100, "It broke."]);
  read.mockResolvedValueOnce(page("z"));
  await items.retryMore();
  expect(read.mock.lastCall?.[0]).toMatchObject({ status: "open", cursor: "next" });
  expect([items.rows.length, items.isComplete]).toEqual([101, true]);
});

test("a read that is older than a decision doesn't bring the item back, a newer one may", async () => {
  const read = vi.spyOn(api, "inbox").mockResolvedValue(page("abc"));
  await items.load();
  let answer = (): void => undefined;
  read.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answer = () => {
          resolve(page("abc"));
        };
      }),
  );
  const stale = items.load();
  items.remove(["b"]);
  expect(shown()).toBe("ac");
  items.confirm(["b"]);
  answer();
  await stale;
  expect(shown()).toBe("ac");
  // Decided, and undone elsewhere: the daemon lists it again.
  await items.load();
  expect(shown()).toBe("abc");
});

test("an item whose decision failed is listed again", async () => {
  vi.spyOn(api, "inbox").mockResolvedValue(page("abc"));
  await items.load();
  items.remove(["a"]);
  await items.load();
  expect(shown()).toBe("bc");
  await items.putBack(["a"]);
  expect(shown()).toBe("abc");
});

test("a change of a memory matters only to its contradiction", async () => {
  const read = vi.spyOn(api, "inbox").mockResolvedValue({
    items: [row("c", { kind: "contradiction", memories: [{ id: "m1" }, { id: "m2" }] as InboxRow["memories"] })],
    cursor: null,
  });
  await items.load();
  vi.useFakeTimers();
  for (const ids of [["other"], ["m2"]]) items.handleChange({ topic: "memory", what: "updated", ids });
  items.handleChange({ topic: "agents", what: "updated", ids: ["m1"] });
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(read).toHaveBeenCalledTimes(2);
});

test("a search goes on to the page that has the words: of the item, its memories or its entities", async () => {
  const found = [row("x", { content: "Use pnpm" }), row("y", { memories: [{ content: "pnpm it is" }] as InboxRow["memories"] })];
  const read = vi
    .spyOn(api, "inbox")
    .mockResolvedValueOnce(page("ab", "next"))
    .mockResolvedValueOnce({ items: [...found, row("z", { entities: [{ name: "npm" }] as InboxRow["entities"] })], cursor: null });
  await items.load({ ...INBOX_URL.none, q: "PNP " });
  expect([shown(), read.mock.calls.length, items.isComplete]).toEqual(["xy", 2, true]);
  expect(read.mock.lastCall?.[0]).not.toHaveProperty("q");
});
