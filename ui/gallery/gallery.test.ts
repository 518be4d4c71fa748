import { expect, test } from "vitest";

const PARTS = Object.keys(import.meta.glob("../src/lib/parts/**/*.svelte"));
const SOURCES = Object.values(
  import.meta.glob<string>("./*.svelte", { query: "?raw", import: "default", eager: true }),
);

test("there are parts, and a gallery", () => {
  expect(PARTS.length).toBeGreaterThan(20);
  expect(SOURCES.length).toBeGreaterThan(3);
});

test.each(PARTS.map((path) => path.replace("../src/lib/parts/", "").replace(".svelte", "")))(
  "%s stands on the gallery page",
  (part) => {
    const count = SOURCES.join("\n").split(`<Case part="${part}"`).length - 1;
    expect(count).toBeGreaterThan(0);
  },
);
