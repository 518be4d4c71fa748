import { expect, test } from "vitest";

import { dollars, moneyToday, stateName, tokensToday } from "./usage-text";

test("amounts are written with as many digits as they need", () => {
  expect([0, 0.0004, 0.02, 12.5].map(dollars)).toEqual(["$0", "$0.0004", "$0.02", "$12.50"]);
});

test("use is told against its limit, if there is one", () => {
  const use = { tokens: 1_200, maxTokens: 5_000, usd: 0.5, maxUsd: 1 };
  expect([tokensToday(use), moneyToday(use)]).toEqual(["1,200 of 5,000", "$0.50 of $1.00"]);
  const free = { ...use, maxTokens: 0, maxUsd: 0 };
  expect([tokensToday(free), moneyToday(free)]).toEqual(["1,200", "$0.50"]);
});

test("a state that isn't known is shown as it is", () => {
  expect([stateName("capped"), stateName("new")]).toEqual(["At today’s limit", "new"]);
});
