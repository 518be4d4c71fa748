import { expect, it } from "vitest";

import { readableBlock } from "./readable-block";

it("names files in place of the comments that mark them, and leaves other comments", () => {
  const text = "<!-- INTAGLIO:FILE AGENTS.md -->\n- Use pnpm.\n<!-- mine -->\n<!-- INTAGLIO:FILE USER.md -->\nAda";
  expect(readableBlock(text)).toBe("[AGENTS.md]\n- Use pnpm.\n<!-- mine -->\n[USER.md]\nAda");
});
