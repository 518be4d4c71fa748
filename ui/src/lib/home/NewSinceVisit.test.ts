import { expect, test } from "vitest";

import type { ProjectDetail } from "$lib/api/client";
import { render } from "$lib/testing";

import NewSinceVisit from "./NewSinceVisit.svelte";
import { ProjectPage } from "./project-page.svelte";

test.each([
  [1, "1 item waits for you in the Inbox"],
  [1_114, "1,114 items wait for you in the Inbox"],
])("%d open items of any kind are counted as items", (open, text) => {
  const page = new ProjectPage(null);
  const detail = { new: { since: null, memories: 0, open } } as ProjectDetail;
  page.value = { detail, memories: [] };
  page.phase = "ready";
  expect(render(NewSinceVisit, { page }).querySelector("p a")?.textContent).toBe(text);
});
