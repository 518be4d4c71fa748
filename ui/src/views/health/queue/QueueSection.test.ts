import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";

import { api, type JobList, type JobRow } from "$lib/api/client";
import { render } from "$lib/testing";

import QueueSection from "./QueueSection.svelte";

const JOB = {
  id: "a",
  subject: "m",
  memory_id: "m",
  title: "Onyx",
  about: null,
  embeds: true,
  attempts: 5,
  max_attempts: 5,
  error: "no",
  failed_at: null,
  created_at: "2026-11-21T12:00:00Z",
};

type Row = Pick<JobRow, keyof typeof JOB>;

function jobs(...some: readonly Row[]): JobList {
  const counts = some.map(() => ({ type: "tidy", label: "Tidying", status: "dead", count: 1 }));
  return { jobs: some, counts, next_cursor: null, done_last_minute: 0, oldest_age_s: null } as unknown as JobList;
}

test("where all are tried anew and none is left, the heading has the focus", async () => {
  vi.spyOn(api, "deadJobs").mockResolvedValueOnce(jobs(JOB)).mockResolvedValue(jobs());
  vi.spyOn(api, "retryJobs").mockResolvedValue(1);
  const page = render(QueueSection, {});
  const all = await vi.waitFor(() => {
    const button = [...page.querySelectorAll("button")].find((one) => one.textContent.trim() === "Retry all");
    if (button === undefined) throw new Error("no button");
    return button;
  });
  all.focus();
  all.click();
  await vi.waitFor(() => {
    expect(page.textContent).not.toContain("Retry all");
  });
  await vi.waitFor(() => {
    expect(document.activeElement).toBe(page.querySelector("h2"));
  });
});

test("a job leads to its memory; one that is about something else says what", async () => {
  const other = { ...JOB, id: "b", label: "Tidying", subject: "the attic", memory_id: null, title: null };
  vi.spyOn(api, "deadJobs").mockResolvedValue(jobs(JOB, other));
  const page = render(QueueSection, {});
  await vi.waitFor(() => {
    expect(page.textContent).toContain("Tidying: the attic");
  });
  const links = [...page.querySelectorAll("a.subject")].map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([["Onyx", "/memories/m"]]);
});

test("a job about a session is named by that, and nothing is said of keyword search", async () => {
  const about = { kind: "session", id: "7", title: "Fix the outage (shop)" } as const;
  const notes = { ...JOB, id: "b", embeds: false, label: "Notes", subject: "codex 0-1", memory_id: null, title: null, about };
  const failed = vi.spyOn(api, "deadJobs").mockResolvedValue(jobs(notes));
  const page = render(QueueSection, {});
  await vi.waitFor(() => {
    expect(page.textContent).toContain("Notes: Fix the outage (shop)");
  });
  expect(page.querySelector("a.subject")?.getAttribute("href")).toBe("/sessions/7");
  expect(page.textContent).not.toContain("Keyword search");
  failed.mockResolvedValue(jobs(notes, JOB));
  const other = render(QueueSection, {});
  await vi.waitFor(() => {
    expect(other.textContent).toContain("Keyword search still finds the memories that couldn't be embedded.");
  });
});

test("a job is only discarded once that is confirmed: it can't be undone", async () => {
  vi.spyOn(api, "deadJobs").mockResolvedValueOnce(jobs(JOB)).mockResolvedValue(jobs());
  const discard = vi.spyOn(api, "discardJob").mockResolvedValue(undefined);
  const page = render(QueueSection, {});
  const button = (text: string, within = ""): HTMLButtonElement => {
    const found = [...page.querySelectorAll<HTMLButtonElement>(`${within} button`)].find((one) => one.textContent.trim() === text);
    if (found === undefined) throw new Error(`no button ${text}`);
    return found;
  };
  const first = await vi.waitFor(() => button("Discard"));
  first.focus();
  first.click();
  flushSync();
  expect(page.querySelector("dialog")?.textContent).toContain("Onyx");
  button("Cancel", "dialog").click();
  flushSync();
  expect([discard.mock.calls.length, page.querySelector("dialog")]).toEqual([0, null]);
  first.click();
  flushSync();
  button("Discard", "dialog").click();
  await vi.waitFor(() => {
    expect(discard).toHaveBeenCalledWith("a");
  });
  await vi.waitFor(() => {
    expect(document.activeElement).toBe(page.querySelector("h2"));
  });
});
