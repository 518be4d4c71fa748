/** What this browser keeps of a user's choices. Storage may be switched off; then nothing is kept. */

export function readLocal(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined takes the entry out; false where nothing can be kept: the choice holds until the page is closed. */
export function writeLocal(key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
