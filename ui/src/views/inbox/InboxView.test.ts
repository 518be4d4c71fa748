import { flushSync } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";

import { api, type InboxRow, type ItemDecision } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { keys } from "$lib/keys/registry.svelte";
import { connection } from "$lib/state/connection.svelte";
import { router } from "$lib/state/router.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { render, type } from "$lib/testing";

import InboxView from "./InboxView.svelte";

const row = (id: string, more: Partial<InboxRow> = {}): InboxRow => ({
  id,
  kind: "suggestion",
  status: "open",
  content: `Use ${id}.`,
  type: "rule",
  project: null,
  agent: "default",
  confidence: 0.6,
  keep_at: 0.82,
  evidence: [
    {
      sentence: `please use ${id}`,
      by: "user",
      harness: "claude-code",
      session_id: "s1",
      session: null,
      message_id: "m1",
      start: 0,
      end: 9,
      said_at: null,
    },
  ],
  origin: "user",
  source: "claude-code",
  created: "2026-11-21T12:00:00Z",
  expires: null,
  decided: null,
  action: null,
  memory_id: null,
  memories: [],
  entities: [],
  session_title: "",
  ...more,
});
const contradiction = row("onyx", {
  kind: "contradiction",
  memories: [
    { id: "m1", content: "Use Jest.", type: "rule", created: "2026-01-01T12:00:00Z", forgotten: false },
    { id: "m2", content: "Use Vitest.", type: "rule", created: "2026-11-01T12:00:00Z", forgotten: false },
  ],
});
let open: InboxRow[];
let page: HTMLElement;
function press(key: string): void {
  keys.handle(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  flushSync();
}

const detail = (): string => page.querySelector("[aria-label='Inbox item']")?.textContent ?? "";
const said = (): string | undefined => page.querySelector("[data-announcement]")?.textContent;
const newest = (): string | undefined => toasts.all.at(-1)?.text;
const results = (ids: readonly string[], more: Partial<ItemDecision> = {}): ItemDecision[] =>
  ids.map((id) => ({ id, status: "done", ...more }));

async function show(...rows: InboxRow[]): Promise<void> {
  open = rows;
  vi.spyOn(api, "inbox").mockImplementation(() => Promise.resolve({ items: [...open], cursor: null }));
  page = render(InboxView, { title: "Inbox", help: undefined });
  await vi.waitFor(() => {
    expect(detail()).toContain(`please use ${rows[0]?.id ?? ""}`);
  });
}

beforeEach(() => {
  vi.restoreAllMocks();
  router.go("/inbox");
  for (const { id } of toasts.all) toasts.dismiss(id);
  vi.spyOn(api, "facets").mockResolvedValue({ facets: { project: [] } } as never);
});

test("a decision goes on to the next item and says so; a decision that fails brings the item back", async () => {
  await show(row("jade"), row("opal"));
  const decide = vi.spyOn(api, "decide").mockImplementation((id) => {
    open = open.filter((one) => one.id !== id);
    return Promise.resolve(row(id));
  });
  press("y");
  expect([detail().includes("Use opal."), said()]).toEqual([true, "Next: Use opal."]);
  await vi.waitFor(() => {
    expect(newest()).toBe("Kept “Use jade.”.");
  });
  expect(decide).toHaveBeenLastCalledWith("jade", "keep", {});
  decide.mockRejectedValueOnce(new ApiError(503, { code: "x", title: "t", detail: "Not now." }));
  press("d");
  await vi.waitFor(() => {
    expect(newest()).toBe("Couldn't decide on the item: Not now.");
  });
  await vi.waitFor(() => {
    expect(detail()).toContain("Use opal.");
  });
});

test("what a file says is never shown as what somebody said", async () => {
  const evidence = row("opal").evidence.map((said) => ({
    ...said,
    sentence: "notes.md: please use opal",
    by: "agent" as const,
    harness: "file",
    session_id: null,
    session: null,
  }));
  await show(row("opal", { origin: "agent", source: "file", evidence }));
  expect(page.querySelector("[role='option']")?.textContent).toContain("Read in a file");
  expect(detail()).toContain("In the file");
  expect(detail()).not.toMatch(/You said|agent's words|Claimed/u);
});

test("what an agent claims is never shown as what the user said", async () => {
  const said = row("opal").evidence;
  const claim = {
    sentence: "please use opal",
    by: "agent",
    harness: "codex",
    session_id: "s2",
    session: null,
    message_id: null,
    start: 0,
    end: 0,
    said_at: null,
  } as const;
  await show(row("opal", { origin: "agent", source: "agent", evidence: [claim] }));
  expect(page.querySelector("[role='option']")?.textContent).toContain("Claimed by the agent");
  expect(detail()).toContain("Claimed by the agent");
  expect(detail()).toContain("The agent's words");
  expect(detail()).not.toContain("You said");
  expect(detail()).not.toContain("Confidence");
  open = [row("opal", { origin: "agent", source: "agent", evidence: [claim, ...said] })];
  connection.announce({ topic: "inbox", what: "updated", ids: ["opal"] });
  await vi.waitFor(() => {
    expect(detail()).toContain("You said");
  });
  const lists = [...page.querySelectorAll("ul")].map((list) => [list.getAttribute("aria-label"), list.querySelectorAll("li").length]);
  expect(lists).toEqual(
    expect.arrayContaining([
      ["The agent's words", 1],
      ["What you said", 1],
    ]),
  );
});

test("an undo brings the item back, and says why it couldn't", async () => {
  await show(row("opal"), row("jade"));
  vi.spyOn(api, "decide").mockImplementation((id) => {
    open = open.filter((one) => one.id !== id);
    return Promise.resolve(row(id));
  });
  press("y");
  await vi.waitFor(() => {
    expect(newest()).toBe("Kept “Use opal.”.");
  });
  vi.spyOn(api, "undoDecisions").mockImplementationOnce((ids) => {
    open = [row("jade"), row("opal")];
    return Promise.resolve(results(ids, { status: "open" }));
  });
  press("u");
  await vi.waitFor(() => {
    expect(detail()).toContain("Use opal.");
  });
  open = [row("jade")];
  connection.announce({ topic: "inbox", what: "updated", ids: ["opal"] });
  await vi.waitFor(() => {
    expect(detail()).toContain("Use jade.");
  });
  press("d");
  expect(said()).toBe("No items left in this list.");
  await vi.waitFor(() => {
    expect(newest()).toBe("Dropped “Use jade.”.");
  });
  const undo = vi.spyOn(api, "undoDecisions").mockResolvedValueOnce(results(["jade"], { error: "The same words are in the inbox again" }));
  press("u");
  await vi.waitFor(() => {
    expect(newest()).toBe("Couldn't undo: The same words are in the inbox again.");
  });
  expect(undo).toHaveBeenCalledWith(["jade"]);
});

test("only what was changed is sent with an edit, and unsaved changes need a second Esc", async () => {
  await show(row("jade"), row("opal"));
  const decide = vi.spyOn(api, "decide").mockResolvedValue(row("jade"));
  press("e");
  const area = page.querySelector("textarea");
  if (area === null) throw new Error("no editor");
  type(area, "Use jade only.");
  press("Escape");
  expect(page.textContent).toContain("Press Esc again to discard your changes.");
  page.querySelector("form")?.requestSubmit();
  await vi.waitFor(() => {
    expect(decide).toHaveBeenCalledWith("jade", "keep", { content: "Use jade only." });
  });
  await vi.waitFor(() => {
    expect(detail()).toContain("Use opal.");
  });
});

test("an edited contradiction changes its newer memory and keeps both; refused, it changes it back", async () => {
  await show(contradiction);
  vi.spyOn(api, "memory").mockResolvedValue({ id: "m2", content: "Use Vitest.", type: "rule", project: null, version: 3 } as never);
  const modify = vi.spyOn(api, "modify").mockResolvedValue({ id: "m2", currentVersion: 3, newVersion: 4 } as never);
  const decide = vi.spyOn(api, "decide").mockRejectedValueOnce(new ApiError(409, { code: "x", title: "Gone", detail: "Already decided." }));
  press("e");
  await vi.waitFor(() => {
    expect(page.querySelector("textarea")?.value).toBe("Use Vitest.");
  });
  const area = page.querySelector("textarea");
  if (area !== null) type(area, "Use Vitest for the client.");
  page.querySelector("form")?.requestSubmit();
  await vi.waitFor(() => {
    expect(page.textContent).toContain("Already decided.");
  });
  expect(modify.mock.calls.map(([id, { content, if_version }]) => [id, content, if_version])).toEqual([
    ["m2", "Use Vitest for the client.", 3],
    ["m2", "Use Vitest.", 4],
  ]);
  expect(decide).toHaveBeenCalledWith("onyx", "keep_both");
});

test("together, contradictions are kept but never dropped", async () => {
  await show(contradiction, row("jade"), row("opal"));
  const many = vi.spyOn(api, "decideMany").mockImplementation((ids) => Promise.resolve(results(ids)));
  for (const key of ["x", "j", "x", "j", "x"]) press(key);
  expect(page.textContent).toContain("3 selected");
  press("d");
  await vi.waitFor(() => {
    expect(newest()).toBe("Dropped 2 items.");
  });
  expect(many.mock.calls).toEqual([[["jade", "opal"], "drop"]]);
  expect(toasts.all.at(-1)?.hint).toBe("Decide on contradictions one by one: 1 is still selected.");
  press("y");
  await vi.waitFor(() => {
    expect(newest()).toBe("Kept 1 item.");
  });
  expect(many).toHaveBeenLastCalledWith(["onyx"], "keep_both");
});

test("an item that is decided on elsewhere leaves its place to the next one", async () => {
  await show(row("jade"), row("opal"), row("onyx"));
  press("j");
  expect(detail()).toContain("Use opal.");
  open = open.filter(({ id }) => id !== "opal");
  connection.announce({ topic: "inbox", what: "updated", ids: ["opal"] });
  await vi.waitFor(() => {
    expect(detail()).toContain("Use onyx.");
  });
});

test("a done item says what was decided, and its undo takes it out of the list", async () => {
  router.go("/inbox", new URLSearchParams({ status: "done" }));
  await show(
    row("jade", { status: "done", action: "keep", decided: "2026-11-21T12:00:00Z", memory_id: "m9" }),
    row("opal", { status: "done", action: "expired" }),
  );
  expect(detail()).toContain("Kept");
  expect(page.querySelector("[href='/memories/m9']")).not.toBeNull();
  const undo = vi.spyOn(api, "undoDecisions").mockImplementation((ids) => Promise.resolve(results(ids, { status: "open" })));
  press("u");
  await vi.waitFor(() => {
    expect(detail()).toContain("Expired");
  });
  press("u");
  expect(undo.mock.calls).toEqual([[["jade"]]]);
});

test("two entities that may be one are merged or kept apart by a key", async () => {
  const entity = (id: string, name: string) => ({
    id,
    name,
    entity_type: "service" as const,
    mentions: 2,
    samples: [`${name} is deployed on Mondays`],
    merged: false,
  });
  const merge = row("opal", {
    kind: "possible_merge",
    content: "billing-api / billing service",
    type: "service",
    confidence: 0.78,
    entities: [entity("e1", "billing-api"), entity("e2", "billing service")],
  });
  await show(merge, row("jade"));
  expect(detail()).toContain("billing service is deployed on Mondays");
  expect(detail()).toContain("78%");
  const decide = vi.spyOn(api, "decide").mockImplementation((id) => {
    open = open.filter((one) => one.id !== id);
    return Promise.resolve(row(id));
  });
  press("y");
  expect(decide).not.toHaveBeenCalled();
  press("m");
  await vi.waitFor(() => {
    expect(newest()).toBe("Merged “billing-api / billing service”.");
  });
  expect(decide).toHaveBeenLastCalledWith("opal", "merge", {});
});

test("a memory is applied to all projects by a key, and a suggestion is kept for all", async () => {
  const scope = row("opal", { kind: "wider_scope", content: "We use UTC everywhere.", memory_id: "m1", project: "/work/shop" });
  await show(scope, row("jade", { project: "/work/shop" }));
  expect(detail()).toContain("Your words may mean other projects, too.");
  const decide = vi.spyOn(api, "decide").mockImplementation((id) => {
    open = open.filter((one) => one.id !== id);
    return Promise.resolve(row(id));
  });
  press("w");
  await vi.waitFor(() => {
    expect(newest()).toBe("Applied “We use UTC everywhere.” to all projects.");
  });
  expect(decide).toHaveBeenLastCalledWith("opal", "all_projects", {});
  press("w");
  await vi.waitFor(() => {
    expect(decide).toHaveBeenLastCalledWith("jade", "keep", { project: null });
  });
});

const NOTHING = { forget: false, content: null, type: null, importance: null, tags: null };
const proposal = (id: string, change: Partial<typeof NOTHING> = { forget: true }): InboxRow =>
  row(id, {
    kind: "proposed_change",
    origin: "agent",
    change: { ...NOTHING, ...change },
    memories: [{ id: `m-${id}`, content: `Use ${id}.`, type: "fact", created: "2026-01-01T12:00:00Z", forgotten: false }],
  });

test("a proposed change shows the memory and what the agent wants, and takes its own keys", async () => {
  await show(proposal("jade"), proposal("opal", { content: "Use agate." } as never));
  const decide = vi.spyOn(api, "decide").mockImplementation((id) => Promise.resolve(row(id)));
  expect(detail()).toContain("An agent wants to forget this");
  press("y");
  expect(decide).not.toHaveBeenCalled();
  press("r");
  await vi.waitFor(() => {
    expect(newest()).toBe("Left “Use jade.” as it is.");
  });
  expect(decide).toHaveBeenLastCalledWith("jade", "reject", {});
  expect(detail()).toContain("agate");
  press("a");
  await vi.waitFor(() => {
    expect(decide).toHaveBeenLastCalledWith("opal", "apply", {});
  });
});

test("selected proposals are decided on together, and other items stay selected", async () => {
  await show(proposal("jade"), proposal("opal"), row("onyx"));
  const decideMany = vi.spyOn(api, "decideMany").mockImplementation((ids) => Promise.resolve(results(ids)));
  keys.handle(new KeyboardEvent("keydown", { key: "a", ctrlKey: true, bubbles: true, cancelable: true }));
  flushSync();
  press("r");
  await vi.waitFor(() => {
    expect(newest()).toBe("Rejected 2 items.");
  });
  expect(decideMany).toHaveBeenCalledExactlyOnceWith(["jade", "opal"], "reject");
});

test("the changes of an agent's session are undone together", async () => {
  const memories = [true, false].map((forgotten, index) => ({
    id: `m${String(index)}`,
    content: `Stone ${String(index)}.`,
    type: "fact",
    created: "2026-01-01T12:00:00Z",
    forgotten,
  }));
  await show(row("jade", { kind: "agent_changes", origin: "agent", memories }));
  const decide = vi.spyOn(api, "decide").mockImplementation((id) => Promise.resolve(row(id)));
  expect(["Forgotten", "Stone 0.", "Changed", "Stone 1."].every((text) => detail().includes(text))).toBe(true);
  press("z");
  await vi.waitFor(() => {
    expect(newest()).toBe("Undid the agent's changes.");
  });
  expect(decide).toHaveBeenLastCalledWith("jade", "undo_changes", {});
});

test("once an agent's changes are undone, no memory is called changed", async () => {
  const memories = [{ id: "m1", content: "Stone 1.", type: "fact", created: "2026-01-02T00:00:00.000Z", forgotten: false }];
  await show(row("jade", { kind: "agent_changes", status: "done", action: "undo_changes", memories }));
  expect([detail().includes("Stone 1."), detail().includes("Changed")]).toEqual([true, false]);
});

test("an item of an unknown kind is shown with its text, and takes no decision", async () => {
  await show(row("jade", { kind: "lost_note" as never, content: "Where is it?" }), row("opal"));
  expect(page.querySelector("[role='option']")?.textContent).toContain("Lost note");
  expect(["Lost note", "Where is it?", "Found", "Update Intaglio to decide"].every((text) => detail().includes(text))).toBe(true);
  expect(page.querySelector("[aria-label='Decision']")).toBeNull();
  const decide = vi.spyOn(api, "decide");
  for (const key of ["y", "d", "e"]) press(key);
  expect(decide).not.toHaveBeenCalled();
});
