/** What a link of a page may lead to. */

/** Whether an address outside the dashboard may be followed. */
export function safeOutward(address: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(address);
}
