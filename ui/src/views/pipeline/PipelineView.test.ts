import { flushSync } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";

import { pipelineCalls, type ModelCallRow, type ProposalRow, type StageList, type StageRow } from "$lib/api/pipeline";
import { ApiError } from "$lib/api/errors";
import { router } from "$lib/state/router.svelte";
import { keys } from "$lib/keys/registry.svelte";
import { render } from "$lib/testing";

import PipelineView from "./PipelineView.svelte";

const NOTHING = { calls: 0, failed: 0, tokens: 0, usd: null };
const STAGE: StageRow = {
  name: "extract",
  label: "Reading memories",
  help: "Finds facts.",
  role: "extraction",
  state: "idle",
  detail: "",
  paused_at: null,
  job_types: ["extract"],
  waiting: 3,
  running: 0,
  failed_jobs: 2,
  last_hour: 4,
  last_day: 9,
  today: { ...NOTHING, calls: 1, tokens: 1_200, usd: 0.0042 },
  week: { ...NOTHING, calls: 5, tokens: 6_000, usd: 0.02 },
  median_ms: 2_400,
  last_error: { at: "2026-11-21T12:00:00Z", text: "no reply within 90 s" },
  prompts: [{ name: "extract_facts", version: 2 }],
  can_redo: true,
};
const LIST: StageList = {
  mode: "shadow",
  models: [{ role: "extraction", provider: "ollama", model: "qwen3:4b", title: "Ollama, qwen3:4b", is_asked: true }],
  today: { tokens: 1_200, token_limit: 1_000_000, usd: 0.0042, usd_limit: 1 },
  stages: [STAGE],
};
const PROPOSAL: ProposalRow = {
  id: "p",
  at: "2026-11-21T12:00:00Z",
  result: "blocked",
  action: "update",
  content: "The port is 9090.",
  type: "fact",
  fact_confidence: 0.9,
  evidence: "it moved to 9090",
  said_by_user: true,
  confidence: 0.8,
  reason: "The newer one says so.",
  skipped: "",
  blocked: "of_user",
  contradiction_risk: true,
  model: "ollama/qwen3:4b",
  prompts: [],
  source: { id: "s", content: "A note.", is_deleted: false },
  target: { id: "t", content: "The port is 8080.", is_deleted: false },
  created: null,
  item_id: "i",
  item_state: "open",
};
const CALL = {
  id: "7",
  at: "2026-11-21T12:00:00Z",
  stage: "extract",
  label: "Reading memories",
  provider: "ollama",
  model: "qwen3:4b",
  prompt: "extract_facts",
  prompt_version: 2,
  tokens_read: 900,
  tokens_written: 100,
  is_estimated: false,
  usd: null,
  ms: 1_500,
  attempts: 1,
  outcome: "timeout",
  detail: "no reply within 90 s",
  project: null,
  subject: { kind: "memory", id: "m", title: "A note." },
} satisfies ModelCallRow;

beforeEach(() => {
  router.go("/pipeline");
  vi.spyOn(pipelineCalls, "proposals").mockResolvedValue({ proposals: [], counts: [{ result: "blocked", count: 1 }], cursor: null });
  vi.spyOn(pipelineCalls, "calls").mockResolvedValue({ calls: [], cursor: null });
});

async function shown(text: string, list: StageList = LIST): Promise<HTMLElement> {
  vi.spyOn(pipelineCalls, "stages").mockResolvedValue(list);
  const page = render(PipelineView, { title: "Pipeline", help: undefined });
  await vi.waitFor(() => {
    expect(page.textContent).toContain(text);
  });
  return page;
}

function press(key: string): void {
  keys.handle(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  flushSync();
}

function button(page: HTMLElement, name: string): HTMLButtonElement {
  const found = [...page.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent).trim() === name);
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
}

test("without a model the page says what one would add, and where to choose it", async () => {
  const unused = { ...STAGE, state: "off", waiting: 0, failed_jobs: 0, week: NOTHING } as const;
  const page = await shown("No language model", { ...LIST, mode: "disabled", models: [], stages: [unused] });
  expect(page.querySelector("table")).toBeNull();
  expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toContain("/settings/Models");
});

test("a stage whose latest calls failed shows no green tick", async () => {
  const page = await shown("Failing", { ...LIST, stages: [{ ...STAGE, state: "failing", detail: "The latest calls failed" }] });
  expect(page.textContent).not.toContain("Idle");
  expect(page.querySelector(".lucide-circle-check")).toBeNull();
});

test("what a former model has left behind is still shown", async () => {
  const page = await shown("Reading memories", { ...LIST, mode: "disabled", models: [] });
  expect(page.textContent).toContain("Choose one");
});

test("a failure is told, and trying again shows the page", async () => {
  const error = new ApiError(500, { code: "internal", title: "Broken", detail: "It failed." });
  vi.spyOn(pipelineCalls, "stages").mockRejectedValueOnce(error).mockResolvedValue(LIST);
  const page = render(PipelineView, { title: "Pipeline", help: undefined });
  await vi.waitFor(() => {
    expect(page.querySelector("[role=alert]")?.textContent).toContain("It failed.");
  });
  button(page, "Try again").click();
  await vi.waitFor(() => {
    expect(page.textContent).toContain("Reading memories");
  });
});

test("a stage tells what it used, and opens to say more", async () => {
  const page = await shown("Reading memories");
  expect(page.textContent).toContain("1,200 of 1,000,000");
  expect(page.textContent).toContain("$0.0042");
  expect(page.textContent).not.toContain("no reply within 90 s");
  button(page, "Reading memories").click();
  flushSync();
  expect(page.textContent).toContain("no reply within 90 s");
  expect(page.textContent).toContain("extract facts 2");
  expect(page.textContent).toContain("2.4 s");
});

test("the selected stage is paused, resumed and retried by keys", async () => {
  const page = await shown("Reading memories");
  const pause = vi.spyOn(pipelineCalls, "pauseStage").mockResolvedValue();
  const resume = vi.spyOn(pipelineCalls, "resumeStage").mockResolvedValue();
  const retry = vi.spyOn(pipelineCalls, "retryFailed").mockResolvedValue(2);
  button(page, "Reading memories").focus();
  vi.spyOn(pipelineCalls, "stages").mockResolvedValue({
    ...LIST,
    stages: [{ ...STAGE, state: "paused", paused_at: "2026-11-21T12:00:00Z" }],
  });
  press("r");
  expect(retry).toHaveBeenCalledWith(["extract"]);
  press("p");
  expect(pause).toHaveBeenCalledWith("extract");
  await vi.waitFor(() => {
    button(page, "Resume: Reading memories").click();
  });
  expect(resume).toHaveBeenCalledWith("extract");
});

test("a blocked proposal stands beside the memory, with its evidence and the way to decide it", async () => {
  vi.spyOn(pipelineCalls, "proposals").mockResolvedValue({ proposals: [PROPOSAL], counts: [], cursor: null });
  const page = await shown("it moved to 9090");
  expect(page.textContent).toContain("The memory is your own, or pinned.");
  expect(page.textContent).toContain("Would change this memory, 80 % sure");
  const links = Object.fromEntries([...page.querySelectorAll("article a")].map((link) => [link.textContent, link.getAttribute("href")]));
  expect(links).toEqual({
    "Open what it was read in": "/memories/s",
    "Open the memory": "/memories/t",
    "Decide in the inbox": "/inbox/i",
  });
});

test("proposals of one result are asked for by its chip", async () => {
  const page = await shown("No proposals yet");
  const chip = [...page.querySelectorAll("button")].find((one) => one.textContent.startsWith("Blocked"));
  chip?.click();
  await vi.waitFor(() => {
    expect(page.textContent).toContain("No such proposals.");
  });
  expect(vi.mocked(pipelineCalls.proposals).mock.lastCall?.[0]).toMatchObject({ result: "blocked" });
  expect(location.search).toBe("?result=blocked");
});

test("calls are shown by a key, with what they cost and what they were about", async () => {
  vi.spyOn(pipelineCalls, "calls").mockResolvedValue({ calls: [CALL], cursor: null });
  const page = await shown("Reading memories");
  press("c");
  await vi.waitFor(() => {
    expect(page.textContent).toContain("Timed out");
  });
  const cells = [...page.querySelectorAll("table[aria-label=Calls] tbody td")].map((cell) => cell.textContent.trim());
  expect(cells.slice(0, 5)).toEqual(["A note.", "Timed out", "1,000", "unknown", "1.5 s"]);
  expect(page.querySelector("table[aria-label=Calls] a")?.getAttribute("href")).toBe("/memories/m");
});
