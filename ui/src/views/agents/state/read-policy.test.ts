import { describe, expect, it } from "vitest";

import type { AgentRow } from "$lib/api/client";

import { groupsOf, idProblem, groupAgents, policyOf } from "./read-policy";

function agent(id: string, more: Partial<AgentRow> = {}): AgentRow {
  return {
    id,
    name: id,
    description: null,
    read_policy: "shared",
    policy_group: null,
    source: "api",
    is_default: id === "default",
    created_at: "",
    updated_at: "",
    archived_at: null,
    last_seen_at: null,
    memories: { global: 0, private: 0 },
    ...more,
  };
}

describe("agents", () => {
  it("stand by name, the default first, archived ones apart", () => {
    const gone = agent("b", { archived_at: "x" });
    const { active, archived } = groupAgents([agent("zoe"), gone, agent("default"), agent("c", { name: "ann" })]);
    expect(active.map((one) => one.id)).toEqual(["default", "c", "zoe"]);
    expect(archived).toEqual([gone]);
  });

  it("say what they read", () => {
    expect(policyOf(agent("a", { read_policy: "isolated" })).label).toBe("Isolated");
  });

  it("have groups, each named once", () => {
    const named = ["red", null, "blue", "red"].map((policy_group, at) => agent(String(at), { policy_group }));
    expect(groupsOf(named)).toEqual(["blue", "red"]);
  });
});

describe("an id", () => {
  it("holds no blank, colon or slash, and has an end", () => {
    expect(["", "ann", "a.b-c_d", "café"].map(idProblem)).toEqual(["", "", "", ""]);
    for (const id of ["a b", "a:b", "a/b", "a\\b", "x".repeat(129)]) expect(idProblem(id)).not.toBe("");
  });
});
