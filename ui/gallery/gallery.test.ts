import { expect, test } from "vitest";

const COMPONENTS = Object.keys(import.meta.glob("../src/lib/components/**/*.svelte"));
const SOURCES = Object.values(import.meta.glob<string>("./*.svelte", { query: "?raw", import: "default", eager: true }));

test("there are parts, and a gallery", () => {
  expect(COMPONENTS.length).toBeGreaterThan(20);
  expect(SOURCES.length).toBeGreaterThan(3);
});

test.each(COMPONENTS.map((path) => path.replace("../src/lib/components/", "").replace(".svelte", "")))(
  "%s stands on the gallery page",
  (component) => {
    const count = SOURCES.join("\n").split(`component="${component}"`).length - 1;
    expect(count).toBeGreaterThan(0);
  },
);
