/** Access to localStorage, which may be disabled. */

export function readLocal(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Store a value; undefined removes it. False if storage is disabled. */
export function writeLocal(key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
