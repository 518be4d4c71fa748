/** Which sessions of the inbox are collapsed. */

export class CollapsedSessions {
  /** Whether all are, but for those that were treated alone. */
  #isAll = $state(false);
  #others = $state.raw<ReadonlySet<string>>(new Set());

  get isAll(): boolean {
    return this.#isAll;
  }

  has(key: string): boolean {
    return this.#isAll !== this.#others.has(key);
  }

  set(key: string, isCollapsed: boolean): void {
    const others = new Set(this.#others);
    if (isCollapsed === this.#isAll) others.delete(key);
    else others.add(key);
    this.#others = others;
  }

  /** Collapse or expand all, also those that are loaded later. */
  setAll(isCollapsed: boolean): void {
    this.#isAll = isCollapsed;
    this.#others = new Set();
  }
}
