/** Which external links may be followed. */

/** Whether an external URL is http, https or mailto. */
export function safeOutward(address: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(address);
}
