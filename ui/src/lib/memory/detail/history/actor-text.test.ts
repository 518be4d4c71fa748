import { expect, test } from "vitest";

import { actorText } from "./actor-text";

test.each([
  ["pipeline-v2", "pipeline", "a language model"],
  ["pipeline-shadow", "pipeline", "a language model, as a trial"],
  ["daemon", "operator", "a command or a program"],
  ["dashboard", "operator", "you, in the dashboard"],
  ["Ann", "operator", "Ann"],
  ["commits", "daemon", "Intaglio"],
  ["claude-code", "agent", "Claude Code"],
  ["constructor", "sdk", "constructor"],
])("%s of type %s is %s", (changedBy, actorType, text) => {
  expect(actorText({ changedBy, actorType })).toBe(text);
});
