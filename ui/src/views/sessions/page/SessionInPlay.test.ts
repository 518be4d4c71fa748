import { expect, test, vi } from "vitest";

import { api, type Checkpoint, type SessionDetail } from "$lib/api/client";
import { render } from "$lib/testing";

import SessionInPlay from "./SessionInPlay.svelte";

const CHECKPOINT: Checkpoint = {
  id: "c",
  session_key: "s1",
  harness: "claude-code",
  project: null,
  project_normalized: null,
  trigger: "pre_compaction",
  digest: "The user asked: Does it scale?",
  prompt_count: 3,
  memory_queries: null,
  recent_remembers: null,
  created_at: "2026-01-31T09:00:00.000Z",
  focal_entity_ids: '["e"]',
  focal_entity_names: '["PostgreSQL"]',
  active_aspect_ids: null,
  surfaced_constraint_count: 2,
  traversal_memory_count: 1,
};

const told = { memoryId: "m", constraint: true, shown: true, content: "Never expose it.", state: "live" };
const session = (more: object = {}): SessionDetail =>
  ({ key: "s1", harness: "claude-code", injections: [], inPlay: { entities: [], aspects: [] }, ...more }) as never;

test("it leads to the entities and to what is always told, and says where the session stood", async () => {
  vi.spyOn(api, "checkpoints").mockResolvedValue([CHECKPOINT]);
  const entities = [{ id: "e", name: "PostgreSQL", entityType: "tool" }];
  const aspects = [{ id: "a", name: "storage", entityId: "e", entityName: "PostgreSQL" }];
  const page = render(SessionInPlay, {
    session: session({ inPlay: { entities, aspects }, injections: [{ lines: [told] }, { lines: [told] }] }),
  });
  await vi.waitFor(() => {
    expect(page.querySelector("details")?.textContent).toContain("Before a compaction");
  });
  expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["/entities/e", "/memories/m"]);
  expect(page.textContent).toContain("storage of PostgreSQL");
  expect(page.textContent).toContain("The user asked: Does it scale?");
  expect(page.textContent).toContain("PostgreSQL · 2 always told");
});

test("of a session that is about nothing, nothing is shown", async () => {
  const read = vi.spyOn(api, "checkpoints").mockResolvedValue([]);
  const page = render(SessionInPlay, { session: session() });
  await vi.waitFor(() => {
    expect(read).toHaveBeenCalled();
  });
  expect(page.textContent.trim()).toBe("");
});
