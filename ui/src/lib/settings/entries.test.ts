import { expect, test } from "vitest";

import { harnessKey } from "./setting-path";

import { canReset, entriesOf, find, hasChanged, isChanged, mustConfirm, originOf, shownValue } from "./entries";
import { settingRow, settingsReply } from "./testing";

const byAgent = (harness: string) =>
  settingRow({ key: harnessKey(harness, "capture"), kind: "switch", harness, group: "Agents", label: "Capture from sessions" });

test("a setting that each agent has is one entry with a row for each", () => {
  const reply = settingsReply([byAgent("claude-code"), settingRow({ key: "capture.keepAt" }), byAgent("codex")], {
    groups: ["Capture", "Agents"],
  });
  const entries = entriesOf(reply);
  expect(entries.map(({ key, rows }) => [key, rows.length])).toEqual([
    ["capture.keepAt", 1],
    ["harness.<name>.capture", 2],
  ]);
  expect(find(entries, "harness.codex.capture")?.row.harness).toBe("codex");
  expect(find(entries, "harness.<name>.capture")?.row.harness).toBe("claude-code");
  expect(find(entries, "capture.nothing")).toBeUndefined();
});

test("changed is what has another value than its default; what the file sets can be reset", () => {
  const set = settingRow({ key: "a.b", value: 11, origin: "file", line: 3 });
  const same = settingRow({ key: "a.c", origin: "file", line: 4 });
  const secret = settingRow({ key: "a.d", kind: "text", secret: true, isSet: true, origin: "file" });
  const invalid = settingRow({ key: "a.e", given: "banana", problem: "not a number", origin: "file" });
  expect([set, same, secret, invalid].map(isChanged)).toEqual([true, false, true, false]);
  expect([set, same, secret, invalid].map(canReset)).toEqual([true, true, true, true]);
  expect(entriesOf(settingsReply([set, same, invalid])).map(hasChanged)).toEqual([true, false, true]);
  expect([set, same, settingRow({ key: "a.g" })].map(originOf)).toEqual(["From agent.yaml, line 3", "From agent.yaml, line 4", ""]);
});

test("a value is shown as people say it", () => {
  expect(shownValue(settingRow({ key: "a.b", unit: "tokens" }), 24_000)).toBe("24,000 tokens");
  expect(shownValue(settingRow({ key: "a.b", kind: "switch" }), false)).toBe("Off");
  const choice = settingRow({ key: "a.b", kind: "choice", choices: [{ value: "problems", label: "Problems only" }] });
  expect(shownValue(choice, "problems")).toBe("Problems only");
  expect(shownValue(settingRow({ key: "a.b", kind: "text", secret: true }), "key")).toBe("Set");
  expect(shownValue(settingRow({ key: "a.b", kind: "text" }), "")).toBe("Not set");
});

test("a change with a consequence must be confirmed: of some values, or only a higher or a lower one", () => {
  const consequence = { kind: "deletes" as const, text: "", values: [], change: "less" as const };
  const days = settingRow({ key: "a", value: 30, default: 90, unit: "days", consequence });
  expect([7, 30, 60, 0, null].map((value) => mustConfirm(days, value))).toEqual([true, false, false, false, false]);
  const forever = { ...days, value: 0 };
  expect([7, 0].map((value) => mustConfirm(forever, value))).toEqual([true, false]);
  const tokens = { ...days, unit: "tokens", consequence: { ...consequence, change: "more" as const } };
  expect([7, 31, null].map((value) => mustConfirm(tokens, value))).toEqual([false, true, true]);
  const off = settingRow({ key: "b", value: true, default: true, consequence: { ...consequence, values: [false], change: "any" } });
  expect([mustConfirm(off, false), mustConfirm({ ...off, value: false }, null), mustConfirm({ ...off, consequence: null }, false)]).toEqual(
    [true, false, false],
  );
});
