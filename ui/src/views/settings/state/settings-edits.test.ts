import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type SettingChange, type SettingRow, type SettingsReply, type SettingValue } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

import { SettingsEdits } from "./settings-edits.svelte";
import { settingRow, settingsReply } from "$lib/settings/testing";

const KEEP = settingRow({ key: "capture.keepAt", label: "Keep at", whole: false, low: 0, high: 1, default: 0.7, value: 0.7 });
const OFF = settingRow({
  key: "commits.enabled",
  label: "Read commits",
  kind: "switch",
  consequence: { kind: "deletes", text: "Off also deletes what was read.", values: [false], change: "any" },
});

const MODE = settingRow({
  key: "desktop.notifications",
  kind: "choice",
  choices: ["all", "problems", "none"].map((value) => ({ value, label: value })),
});

/** A daemon that has the settings in memory. */
class Daemon {
  reply: SettingsReply = settingsReply([KEEP, OFF, MODE]);
  sent: (readonly [SettingChange[], boolean])[] = [];

  readonly change = (changes: SettingChange[], confirmed = false): Promise<{ settings: SettingsReply; undo: SettingChange[] }> => {
    this.sent.push([changes, confirmed]);
    const undo = changes.map(({ key }) => ({ key, value: this.row(key).origin === "file" ? this.row(key).value : null }));
    for (const { key, value } of changes) this.put(key, value);
    return Promise.resolve({ settings: this.reply, undo });
  };

  row(key: string): SettingRow {
    const row = this.reply.settings.find((one) => one.key === key);
    if (row === undefined) throw new Error(key);
    return row;
  }

  /** What an edit of the file does, too. */
  put(key: string, value: SettingValue | null): void {
    const change = (row: SettingRow): SettingRow =>
      row.key === key ? { ...row, value: value ?? row.default, origin: value === null ? "default" : "file" } : row;
    this.reply = { ...this.reply, settings: this.reply.settings.map(change) };
  }
}

let daemon: Daemon;
let edits: SettingsEdits;
const keep = (): SettingRow => daemon.row(KEEP.key);
const off = (): SettingRow => daemon.row(OFF.key);

beforeEach(() => {
  vi.useFakeTimers();
  daemon = new Daemon();
  vi.spyOn(api, "changeSettings").mockImplementation(daemon.change);
  edits = new SettingsEdits(
    () => daemon.reply,
    () => undefined,
    ({ label }) => label,
  );
});

afterEach(() => {
  for (const { id } of toasts.all) toasts.dismiss(id);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("what is typed is checked at once and saved when it is valid", async () => {
  edits.type(keep(), "1.5");
  expect(edits.error(keep())).toBe("Enter a number from 0 to 1.");
  await edits.save(keep());
  expect(daemon.sent).toEqual([]);
  edits.type(keep(), "0.8");
  expect(edits.error(keep())).toBeUndefined();
  expect(edits.values([keep(), off()])).toEqual({ "capture.keepAt": 0.8 });
  await edits.save(keep());
  expect(daemon.sent).toEqual([[[{ key: "capture.keepAt", value: 0.8 }], false]]);
  expect([edits.text(keep()), edits.drafts.size]).toEqual(["0.8", 0]);
});

test("a value that is in use already isn't sent", async () => {
  edits.type(keep(), "0.70");
  await edits.save(keep());
  expect([daemon.sent, edits.drafts.size]).toEqual([[], 0]);
});

test("a switch is shown at once and put back when it is refused", async () => {
  daemon.put(OFF.key, false);
  vi.mocked(api.changeSettings).mockRejectedValueOnce(new ApiError(503, { code: "unavailable", title: "Busy", detail: "Busy." }));
  const change = edits.change(off(), true);
  expect(edits.value(off())).toBe(true);
  await change;
  expect(edits.value(off())).toBe(false);
  expect(toasts.all.at(-1)?.text).toBe('Couldn\'t change "Read commits": Busy.');
});

test("the daemon's reason stands beside the field, and what was typed stays", async () => {
  vi.mocked(api.changeSettings).mockRejectedValueOnce(
    new ApiError(400, { code: "invalid_input", title: "", detail: "Too high.", hint: "Use 0.9." }),
  );
  edits.type(keep(), "0.95");
  await edits.save(keep());
  expect([edits.error(keep()), edits.text(keep())]).toEqual(["Too high. Use 0.9.", "0.95"]);
  edits.type(keep(), "0.9");
  expect(edits.error(keep())).toBeUndefined();
});

test("undo takes back the last change, and nothing that came since", async () => {
  await edits.change(keep(), 0.8);
  await edits.change(keep(), null);
  expect(toasts.all.map(({ text }) => text)).toEqual(["Keep at: 0.7."]);
  toasts.undo();
  await vi.advanceTimersByTimeAsync(1);
  expect(daemon.sent.at(-1)).toEqual([[{ key: "capture.keepAt", value: 0.8 }], true]);
  await edits.change(keep(), 0.8);
  daemon.put("capture.keepAt", 0.3);
  toasts.undo();
  await vi.advanceTimersByTimeAsync(1);
  expect(toasts.all.at(-1)?.text).toBe("Couldn't undo: it has been changed since.");
  expect(keep().value).toBe(0.3);
});

test("a change with a consequence waits for the user's word", async () => {
  await edits.change(off(), false);
  expect(edits.confirmation?.text).toBe("Off also deletes what was read.");
  edits.answer(false);
  expect([edits.confirmation, edits.value(off()), daemon.sent]).toEqual([undefined, true, []]);
  await edits.change(off(), false);
  edits.answer(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(daemon.sent).toEqual([[[{ key: "commits.enabled", value: false }], true]]);
});

test("a change whose consequence only the daemon knows waits, too", async () => {
  const needed = new ApiError(409, { code: "confirmation_needed", title: "Confirm", detail: "It deletes." });
  vi.mocked(api.changeSettings).mockRejectedValueOnce(needed);
  await edits.change(keep(), 0.5);
  expect([edits.confirmation?.text, daemon.sent]).toEqual(["It deletes.", []]);
});

test("a choice that an arrow key passes isn't saved", async () => {
  const mode = (): SettingRow => daemon.row(MODE.key);
  edits.pass(mode(), "problems");
  expect(edits.text(mode())).toBe("problems");
  edits.pass(mode(), "none");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(daemon.sent).toEqual([[[{ key: "desktop.notifications", value: "none" }], false]]);
  vi.mocked(api.changeSettings).mockRejectedValueOnce(new ApiError(503, { code: "unavailable", title: "Busy", detail: "Busy." }));
  edits.pass(mode(), "all");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(edits.text(mode())).toBe("none");
});

test("values that are tried are saved together or not at all", async () => {
  const rows = (): SettingRow[] => [keep(), off()];
  edits.try(true);
  edits.step(keep(), 10);
  await edits.save(keep());
  await edits.change(off(), false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([edits.value(keep()), edits.value(off()), daemon.sent]).toEqual([0.8, false, []]);
  expect(edits.values(rows())).toEqual({ "capture.keepAt": 0.8, "commits.enabled": false });
  await edits.saveTried(rows());
  expect([daemon.sent, edits.confirmation?.text]).toEqual([[], "Off also deletes what was read."]);
  edits.answer(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(daemon.sent).toEqual([
    [
      [
        { key: "capture.keepAt", value: 0.8 },
        { key: "commits.enabled", value: false },
      ],
      true,
    ],
  ]);
  expect([edits.tried(rows()), toasts.all.at(-1)?.text]).toEqual([[], "Changed 2 settings."]);
  toasts.undo();
  await vi.advanceTimersByTimeAsync(1);
  expect(rows().map(({ value }) => value)).toEqual([0.7, true]);
  await edits.change(off(), false);
  edits.try(false);
  expect([edits.value(off()), edits.drafts.size]).toEqual([true, 0]);
});

test("an edit of the file leaves what is being typed, and says so", () => {
  edits.type(keep(), "0.8");
  expect(edits.overtaken(keep())).toBeUndefined();
  daemon.put("capture.keepAt", 0.6);
  expect([edits.text(keep()), edits.overtaken(keep())]).toEqual(["0.8", 0.6]);
  edits.revert(keep());
  expect([edits.text(keep()), edits.overtaken(keep())]).toEqual(["0.6", undefined]);
});

test("steps in quick succession are saved once, and undone together", async () => {
  edits.step(keep(), 1);
  edits.step(keep(), 1);
  edits.step(keep(), 10);
  expect(edits.text(keep())).toBe("0.82");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(daemon.sent).toEqual([[[{ key: "capture.keepAt", value: 0.82 }], false]]);
  edits.step(keep(), -1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(toasts.all.map(({ text }) => text)).toEqual(["Keep at: 0.81."]);
  toasts.undo();
  await vi.advanceTimersByTimeAsync(1);
  expect(keep().value).toBe(0.7);
});
