import { resolve } from "node:path";

import { expect, test } from "vitest";

import { bundledPackages, packageFolder } from "./licenses.ts";

const NODE_MODULES = resolve("node_modules");

test("a module belongs to the package whose folder it is in", () => {
  expect(packageFolder("/ui/node_modules/three/build/three.module.js?v=1")).toBe("/ui/node_modules/three");
  expect(packageFolder("/ui/node_modules/@lucide/svelte/dist/x.js")).toBe("/ui/node_modules/@lucide/svelte");
  expect(packageFolder("/ui/node_modules/a/node_modules/b/x.js")).toBe("/ui/node_modules/a/node_modules/b");
});

test("the dashboard's own modules belong to no package", () => {
  expect(packageFolder("/ui/src/main.ts")).toBeNull();
});

test("a package is listed once, with its version and the text of its licence", () => {
  const [found, ...others] = bundledPackages([`${NODE_MODULES}/svelte/a.js`, `${NODE_MODULES}/svelte/b.js`]);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ name: "svelte", license: "MIT" });
  expect(found?.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(found?.text).toContain("Permission is hereby granted");
});
