import { expect, test } from "vitest";

import { homeProject } from "./home-project";

const [SHOP, BAKERY] = [{ key: "/work/shop" }, { key: "/work/bakery" }];

test("Home stays with its project when another one becomes active", () => {
  expect(homeProject(undefined, [SHOP, BAKERY])).toBe("/work/shop");
  expect(homeProject("/work/shop", [BAKERY, SHOP])).toBe("/work/shop");
});

test("Home shows the latest project when its own is gone, and global memories without any", () => {
  expect(homeProject("/work/shop", [BAKERY])).toBe("/work/bakery");
  expect(homeProject("/work/shop", [])).toBeNull();
});
