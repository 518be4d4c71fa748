import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type FindReply } from "$lib/api/client";
import { found, group, reply, setting, settingsReply } from "$lib/finding/finding-samples";
import { settingsList } from "$lib/finding/found-settings.svelte";
import { router } from "$lib/state/router.svelte";

import type { Shortcut } from "../registry.svelte";
import { MOVES, PaletteState } from "./palette-state.svelte";

function command(label: string, group: string, more: Partial<Shortcut> = {}): Shortcut {
  return { id: label.toLowerCase(), keys: [], label, group, run: () => undefined, ...more };
}

const COMMANDS = [
  command("Status", "Go to", { words: "growth" }),
  command("Theme: dark", "Appearance"),
  command("Scattered letters", "General"),
];
const ANSWER = reply(group("memory", [found("memory", "m1"), found("memory", "m2")]), group("session", [found("session", "1")], true));

let palette: PaletteState;

function shown(): string[] {
  return palette.groups.map(({ name, items }) => `${name}: ${items.map(({ label }) => label).join(", ")}`);
}

async function typed(query: string, answer: FindReply = ANSWER): Promise<void> {
  vi.spyOn(api, "find").mockResolvedValue(answer);
  palette.type(query);
  await vi.runAllTimersAsync();
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  settingsList.set(settingsReply([setting("desktop.theme", "Theme of the windows", { words: "dark" })]));
  palette = new PaletteState(false, () => COMMANDS);
});

afterEach(() => {
  palette.stop();
  vi.useRealTimers();
});

test("one question is asked for what is typed at a stretch", async () => {
  const ask = vi.spyOn(api, "find").mockResolvedValue(ANSWER);
  for (const query of ["l", "la", "lapis "]) palette.type(query);
  await vi.runAllTimersAsync();
  expect(ask.mock.calls.map(([{ q }]) => q)).toEqual(["lapis"]);
});

test("what has the name goes first, then what the daemon found, best first", async () => {
  await typed("status");
  expect(shown()).toEqual([
    "Commands: Status",
    "Memories: memory m1, memory m2, Show all memories",
    "Sessions: session 1, Show all sessions",
  ]);
  expect(palette.countText).toBe("4 results");
});

test("commands and settings are there before the daemon answers, and stay where they are", async () => {
  const find = vi.spyOn(api, "find").mockResolvedValue(ANSWER);
  palette.type("theme");
  expect(shown()).toEqual(["Commands: Theme: dark", "Settings: Theme of the windows"]);
  expect([palette.current?.label, palette.countText, find.mock.calls.length]).toEqual(["Theme: dark", "", 0]);
  await vi.runAllTimersAsync();
  expect(palette.current?.label).toBe("Theme: dark");
  expect(palette.groups.map(({ name }) => name)).toEqual(["Commands", "Settings", "Memories", "Sessions"]);
});

test("what only has the letters comes after what the daemon found", async () => {
  await typed("sctter");
  expect(palette.groups.map(({ name }) => name)).toEqual(["Memories", "Sessions", "Commands"]);
});

test("the entry that was moved to stays the current one, wherever it goes", async () => {
  vi.spyOn(api, "find").mockResolvedValue(ANSWER);
  palette.type("sctter");
  palette.choose("command:scattered letters");
  await vi.runAllTimersAsync();
  expect(palette.current?.label).toBe("Scattered letters");
  expect(palette.active).toBe(5);
});

test("Enter before the answer runs a command of that name, and waits for anything else", async () => {
  vi.spyOn(api, "find").mockResolvedValue(ANSWER);
  palette.type("status");
  expect(palette.enter()?.label).toBe("Status");
  palette.type("sctter");
  expect(palette.enter()).toBeUndefined();
  expect(palette.isEager).toBe(true);
  await vi.runAllTimersAsync();
  expect([palette.isWaiting, palette.current?.label]).toEqual([false, "memory m1"]);
  palette.type("scttere");
  expect(palette.isEager).toBe(false);
  palette.move((at) => at);
  expect(palette.enter()?.label).toBe("memory m1");
});

test("a search lists the newest memories first, and what is kept before any command", async () => {
  const memory = { id: "n", content: "Newest", type: "fact", project: null };
  vi.spyOn(api, "memories").mockResolvedValue({ memories: [memory] } as never);
  vi.spyOn(api, "settings").mockResolvedValue(settingsReply([]));
  palette = new PaletteState(true, () => COMMANDS);
  palette.prepare();
  await vi.runAllTimersAsync();
  expect(shown()).toEqual(["Recent memories: Newest"]);
  vi.spyOn(api, "find").mockResolvedValue(ANSWER);
  palette.type("status");
  expect(palette.enter()).toBeUndefined();
  await vi.runAllTimersAsync();
  expect(palette.groups.slice(0, 3).map(({ name }) => name)).toEqual(["Memories", "Sessions", "Commands"]);
});

test("arrows go through all groups and round the ends, Tab to the next one", async () => {
  await typed("status");
  palette.move(MOVES.ArrowUp ?? ((at) => at));
  expect(palette.current?.label).toBe("Show all sessions");
  palette.move(MOVES.ArrowDown ?? ((at) => at));
  expect(palette.current?.label).toBe("Status");
  const visited = [1, 1, 1, -1].map((by) => {
    palette.jump(by as 1 | -1);
    return palette.current?.label;
  });
  expect(visited).toEqual(["memory m1", "session 1", "Status", "session 1"]);
});

test("a refused search leaves what is found here, and says why", async () => {
  vi.spyOn(api, "find").mockRejectedValue(new Error("too long"));
  palette.type("status");
  await vi.runAllTimersAsync();
  expect(shown()).toEqual(["Commands: Status"]);
  expect(palette.countText).toContain("too long");
});

test("a project that a command leads to isn't listed twice, and at most fifty results are", async () => {
  const project = command("Switch to project lantern", "Projects", { id: "project.%2Fwork%2Flantern" });
  palette = new PaletteState(false, () => [project]);
  const many = Array.from({ length: 80 }, (_, at) => found("memory", String(at)));
  await typed("lantern", reply(group("project", [found("project", "/work/lantern")]), group("memory", many)));
  expect(palette.groups.map(({ name }) => name)).toEqual(["Commands", "Memories"]);
  expect(palette.countText).toBe("50 results");
});

test("an entry leads to its page", async () => {
  await typed("status");
  palette.choose("session:1");
  palette.enter()?.run();
  expect(router.path).toBe("/sessions/1");
});
