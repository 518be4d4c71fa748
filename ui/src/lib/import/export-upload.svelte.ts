/** The upload of an export in parts, with progress; it can be stopped. */

import { importApi, type Upload } from "$lib/api/imports";
import { ApiError, asApiError } from "$lib/api/errors";

/** The daemon takes 8 MB at most. */
const PART_BYTES = 4_000_000;
const MOST_RETRIES = 3;
const LOOK_MS = 300;

export class ExportUpload {
  /** The file that is being sent. */
  name = $state("");
  size = $state(0);
  sent = $state(0);
  isSending = $state(false);
  isStopping = $state(false);
  error = $state.raw<ApiError>();

  /** All of it has arrived, and the daemon is reading it. */
  get isReading(): boolean {
    return this.isSending && this.size > 0 && this.sent >= this.size;
  }

  get #isWanted(): boolean {
    return !this.isStopping;
  }

  stop(): void {
    if (this.isSending) this.isStopping = true;
  }

  /** Send a file; resolves to the id of its source, undefined if it was stopped or failed, with the reason in `error`. */
  async send(file: File): Promise<string | undefined> {
    if (this.isSending) return undefined;
    this.name = file.name;
    this.size = file.size;
    this.sent = 0;
    this.error = undefined;
    this.isSending = true;
    this.isStopping = false;
    let upload: Upload | undefined;
    try {
      upload = await importApi.beginUpload(file.name, file.size);
      upload = await this.#sendParts(upload, file);
      upload = await this.#untilRead(upload);
      if (upload.source !== null && this.#isWanted) return upload.source.id;
      if (upload.problem !== "") this.error = unread(upload.problem);
      void discard(upload);
    } catch (thrown) {
      this.error = asApiError(thrown);
      if (upload !== undefined) void discard(upload);
    } finally {
      this.isSending = false;
    }
    return undefined;
  }

  async #sendParts(begun: Upload, file: File): Promise<Upload> {
    let upload = begun;
    let retries = 0;
    while (upload.received < file.size && this.#isWanted) {
      const from = upload.received;
      try {
        upload = await importApi.sendPart(upload.id, from, file.slice(from, from + PART_BYTES));
        retries = 0;
      } catch (thrown) {
        retries += 1;
        // What was refused is refused again; a lost connection is worth another attempt.
        if (asApiError(thrown).status !== 0 || retries > MOST_RETRIES) throw thrown;
        upload = await importApi.upload(upload.id);
      }
      this.sent = upload.received;
    }
    return upload;
  }

  /** Wait until the daemon has read what arrived. */
  async #untilRead(sent: Upload): Promise<Upload> {
    let upload = sent;
    while (upload.source === null && upload.problem === "" && this.#isWanted) {
      await wait(LOOK_MS);
      upload = await importApi.upload(upload.id);
    }
    return upload;
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The daemon also discards what nobody imports, so a failure doesn't matter. */
async function discard({ id }: Upload): Promise<void> {
  await importApi.deleteUpload(id).catch(() => undefined);
}

function unread(problem: string): ApiError {
  return new ApiError(422, {
    code: "unreadable_export",
    title: "Couldn't read the export",
    // It says what to do, too.
    detail: problem,
    hint: "",
  });
}
