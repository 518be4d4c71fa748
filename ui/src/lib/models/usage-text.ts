/** What language models used, in words. */

import type { Status } from "$lib/api/client";

/** The parts of today's usage that are shown wherever it is. */
export interface DayUse {
  readonly tokens: number;
  readonly maxTokens: number;
  readonly usd: number;
  readonly maxUsd: number;
}

export type LanguageModelStatus = NonNullable<Status["languageModel"]>;

const SMALL_USD = 0.01;

/** An amount of dollars; small ones with more digits. */
export function dollars(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd.toFixed(usd < SMALL_USD ? 4 : 2)}`;
}

export function tokensToday({ tokens, maxTokens }: DayUse): string {
  return maxTokens > 0 ? `${tokens.toLocaleString()} of ${maxTokens.toLocaleString()}` : tokens.toLocaleString();
}

export function moneyToday({ usd, maxUsd }: DayUse): string {
  return maxUsd > 0 ? `${dollars(usd)} of ${dollars(maxUsd)}` : dollars(usd);
}

const STATES: Readonly<Record<string, string>> = {
  off: "Off",
  unconfirmed: "Waits for your agreement",
  unusable: "Can’t be asked",
  paused: "Paused",
  capped: "At today’s limit",
  resting: "Resting after failures",
  ready: "Ready",
};

export function stateName(state: string): string {
  return STATES[state] ?? state;
}
