import { afterEach, beforeEach, expect, test, vi, type MockInstance } from "vitest";

import { unreachable } from "$lib/api/errors";
import { importApi, type ImportSource, type Upload } from "$lib/api/imports";

import { ExportUpload } from "./export-upload.svelte";

const SIZE = 9_000_000;
const FILE = new File([new Uint8Array(SIZE)], "chats.zip");
const source = { id: "upload-u1" } as ImportSource;
const at = (received: number, more: Partial<Upload> = {}): Upload => ({
  id: "u1",
  name: "chats.zip",
  size: SIZE,
  received,
  source: null,
  problem: "",
  ...more,
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(importApi, "beginUpload").mockResolvedValue(at(0));
  vi.spyOn(importApi, "deleteUpload").mockResolvedValue(undefined);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Let the daemon take each part, and read the file at the second look. */
function accepts(end: Partial<Upload> = { source }): MockInstance<typeof importApi.sendPart> {
  const sends = vi.spyOn(importApi, "sendPart").mockImplementation((_, offset, part) => Promise.resolve(at(offset + part.size)));
  vi.spyOn(importApi, "upload").mockResolvedValueOnce(at(SIZE)).mockResolvedValue(at(SIZE, end));
  return sends;
}

test("a file is sent in parts one after the other, and read", async () => {
  const sends = accepts();
  const upload = new ExportUpload();
  const sent = upload.send(FILE);
  await vi.advanceTimersByTimeAsync(10);
  expect([upload.isSending, upload.isReading, upload.sent]).toEqual([true, true, SIZE]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await sent).toBe("upload-u1");
  expect(sends.mock.calls.map(([, offset]) => offset)).toEqual([0, 4_000_000, 8_000_000]);
  expect([upload.isSending, upload.error]).toEqual([false, undefined]);
});

test("after a lost connection it goes on where the daemon has stopped", async () => {
  const sends = vi.spyOn(importApi, "sendPart");
  sends.mockRejectedValueOnce(unreachable());
  sends.mockImplementation((_, offset, part) => Promise.resolve(at(offset + part.size, offset + part.size === SIZE ? { source } : {})));
  vi.spyOn(importApi, "upload").mockResolvedValue(at(4_000_000));
  expect(await new ExportUpload().send(FILE)).toBe("upload-u1");
  expect(sends.mock.calls.map(([, offset]) => offset)).toEqual([0, 4_000_000, 8_000_000]);
});

test("what is no export is discarded with the reason", async () => {
  accepts({ problem: "It holds no conversations." });
  const upload = new ExportUpload();
  const sent = upload.send(FILE);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await sent).toBeUndefined();
  expect(upload.error?.message).toBe("It holds no conversations.");
  expect(importApi.deleteUpload).toHaveBeenCalledWith("u1");
});

test("a stopped upload is discarded without an error", async () => {
  const upload = new ExportUpload();
  vi.spyOn(importApi, "sendPart").mockImplementation((_, offset, part) => {
    upload.stop();
    return Promise.resolve(at(offset + part.size));
  });
  expect(await upload.send(FILE)).toBeUndefined();
  expect([upload.sent, upload.error]).toEqual([4_000_000, undefined]);
  expect(importApi.deleteUpload).toHaveBeenCalledWith("u1");
});
