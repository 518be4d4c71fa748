import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type AgentRow, type ChangeAgent } from "$lib/api/client";
import { agents } from "$lib/state/agents.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { addAgent, archiveAgent, changeAgent, restoreAgent } from "./agent-actions";

let stored: AgentRow;

/** A daemon that knows one agent at most. */
beforeEach(() => {
  stored = {
    id: "onyx",
    name: "Onyx",
    description: null,
    read_policy: "shared",
    policy_group: null,
    archived_at: null,
    updated_at: "1",
    last_seen_at: null,
  } as AgentRow;
  const put = (more: object): Promise<AgentRow> => {
    stored = { ...stored, ...more };
    return Promise.resolve(stored);
  };
  vi.spyOn(api, "agents").mockImplementation(() => Promise.resolve([stored]));
  vi.spyOn(api, "addAgent").mockImplementation((agent) => put({ ...agent, archived_at: null }));
  vi.spyOn(api, "archiveAgent").mockImplementation(() => put({ archived_at: "now" }));
  vi.spyOn(api, "changeAgent").mockImplementation((_, { description, policy_group: group, ...change }: ChangeAgent) =>
    put({ ...change, description: description === "" ? null : description, policy_group: group === "" ? null : group }),
  );
});

afterEach(() => {
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

async function undo(text = "Undone."): Promise<void> {
  toasts.undo();
  await vi.waitFor(() => {
    expect(toasts.all.at(-1)?.text).toBe(text);
  });
}

test("each change of an agent is undone", async () => {
  const former = stored;
  await changeAgent(stored, { name: "Opal", description: "Writes.", read_policy: "group", policy_group: "stones" });
  expect(toasts.undoable?.text).toBe("Opal changed.");
  await undo();
  expect(stored).toEqual(former);
  await archiveAgent(stored);
  await undo();
  expect(stored.archived_at).toBeNull();
  stored = { ...stored, archived_at: "then" };
  await restoreAgent(stored);
  await undo();
  expect(stored.archived_at).not.toBeNull();
  await addAgent({ id: "new", name: "New" });
  await undo();
  expect(stored).toMatchObject({ id: "new", archived_at: "now" });
});

test("an agent that was used since can be undone, one that was changed since stays", async () => {
  await changeAgent(stored, { name: "Opal" });
  stored = { ...stored, last_seen_at: "later", updated_at: "2" };
  await undo();
  expect(stored.name).toBe("Onyx");
  await changeAgent(stored, { name: "Opal" });
  stored = { ...stored, read_policy: "isolated" };
  await undo("Couldn't undo: it has been changed since.");
  expect(stored.name).toBe("Opal");
});

test("an agent that was there when it was added becomes what it was", async () => {
  agents.set([stored]);
  await addAgent({ id: "onyx", name: "Opal", read_policy: "isolated" });
  await undo();
  expect(stored).toMatchObject({ name: "Onyx", read_policy: "shared", archived_at: null });
  agents.clear();
});

test("a change to what it is already offers nothing", async () => {
  await changeAgent(stored, { name: "Onyx" });
  expect(toasts.undoable).toBeUndefined();
});
