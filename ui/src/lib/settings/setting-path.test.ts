import { expect, test } from "vitest";

import { isSettingKey, settingPath } from "./setting-path";

test("keys of settings are told from other code", () => {
  const keys = ["capture.keepAt", "memory.pipelineV2.worker.maxRetries", "harness.<name>.capture", "search.min_score"];
  expect(keys.filter(isSettingKey)).toEqual(keys);
  const others = [
    "agent.yaml",
    "memory.db",
    "capture",
    "daemon.log",
    "intaglio config edit",
    "capture.keepAt: 0.8",
    "harness.claudeCode.py",
  ];
  expect(others.filter(isSettingKey)).toEqual([]);
});

test("the path of a setting is its key", () => {
  expect(settingPath("capture.keepAt")).toBe("/settings/capture.keepAt");
  expect(settingPath("harness.<name>.capture")).toBe("/settings/harness.%3Cname%3E.capture");
});

test("what Help shows as the key of a setting is one", () => {
  const pages = import.meta.glob<string>("../../../../assets/docs/help/*.md", { query: "?raw", import: "default", eager: true });
  const codes = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/gu)].map(([, code = ""]) => code);
  const listed = Object.entries(pages).find(([path]) => path.endsWith("/settings.md"))?.[1] ?? "";
  const known = new Set(codes(listed));
  const named = Object.values(pages)
    .flatMap(codes)
    .filter(isSettingKey)
    .map((key) => key.replace(/^harness\.\w+/u, "harness.<name>"));
  expect(known.size).toBeGreaterThan(70);
  expect(named.filter((key) => !known.has(key))).toEqual([]);
});
