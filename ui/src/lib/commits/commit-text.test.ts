import { expect, test } from "vitest";

import { commitsPath, unwrapped } from "./commit-text";

const LONG = "The gateway drops every third call while it restarts, and a lost";

test.each([
  ["lines that an editor has broken are joined", `${LONG}\nexport is missing.`, `${LONG} export is missing.`],
  ["paragraphs stay apart", `${LONG}\n\nFive times.`, `${LONG}\n\nFive times.`],
  ["short lines were ended on purpose", "Before:\nafter", "Before:\nafter"],
  ["items of a list stay apart", `${LONG}\n- one\n2. two`, `${LONG}\n- one\n2. two`],
  ["code stays as it is", `${LONG}\n    run()\n    ${LONG}\nnext`, `${LONG}\n    run()\n    ${LONG}\nnext`],
  ["trailers stay apart", `${LONG}\nSigned-off-by: Ann`, `${LONG}\nSigned-off-by: Ann`],
])("of a message, %s", (_, body, expected) => {
  expect(unwrapped(body)).toBe(expected);
});

test("the list of commits is of all projects or of one", () => {
  expect([commitsPath(), commitsPath("/work/a b")]).toEqual(["/memories?commits=1", "/memories?commits=1&project=%2Fwork%2Fa+b"]);
});
