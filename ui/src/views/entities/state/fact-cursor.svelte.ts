/** The facts of an entity's page: moving between them, and changing one. */

import { tick } from "svelte";

import type { AttributeChange, AttributeRow } from "$lib/api/client";
import { UNCLASSIFIED } from "$lib/api/entities";
import { changeFact } from "$lib/entity/entity-actions";
import type { Shortcut } from "$lib/keys/registry.svelte";

import type { AspectFacts } from "./open-entity.svelte";

const ONE = "Selected statement";

export class FactCursor {
  readonly #page: () => HTMLElement | undefined;
  readonly #aspects: () => readonly AspectFacts[];
  readonly #reload: () => void;
  readonly #askAspect: (fact: AttributeRow, aspect: AspectFacts) => void;
  /** The fact that had focus last; it is the tab stop. */
  last = $state<string>();
  readonly stop = $derived.by(() => {
    const facts = this.#aspects().flatMap((aspect) => aspect.facts);
    return facts.some(({ id }) => id === this.last) ? this.last : facts[0]?.id;
  });

  constructor(
    page: () => HTMLElement | undefined,
    aspects: () => readonly AspectFacts[],
    reload: () => void,
    askAspect: (fact: AttributeRow, aspect: AspectFacts) => void,
  ) {
    this.#page = page;
    this.#aspects = aspects;
    this.#reload = reload;
    this.#askAspect = askAspect;
  }

  get #rows(): HTMLElement[] {
    return [...(this.#page()?.querySelectorAll<HTMLElement>("[data-fact]") ?? [])];
  }

  /** The fact that has focus, with its aspect. */
  get focused(): readonly [AttributeRow, AspectFacts] | undefined {
    const id = document.activeElement?.closest<HTMLElement>("[data-fact]")?.dataset.fact;
    return id === undefined ? undefined : this.find(id);
  }

  find(id: string): readonly [AttributeRow, AspectFacts] | undefined {
    for (const aspect of this.#aspects()) {
      const fact = aspect.facts.find((one) => one.id === id);
      if (fact !== undefined) return [fact, aspect];
    }
    return undefined;
  }

  step(by: number): void {
    const rows = this.#rows;
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const from = at < 0 ? rows.findIndex((row) => row.dataset.fact === this.stop) : at + by;
    rows[Math.max(0, Math.min(rows.length - 1, from))]?.focus();
  }

  async #change(fact: AttributeRow, change: AttributeChange, text: string, back: AttributeChange | undefined): Promise<void> {
    if (!(await changeFact(fact, change, text, back, this.#reload))) return;
    this.#reload();
    this.last = fact.id;
    await tick();
  }

  async toggleConstraint(fact: AttributeRow): Promise<void> {
    const isConstraint = fact.kind === "constraint";
    await this.#change(
      fact,
      { kind: isConstraint ? "attribute" : "constraint" },
      isConstraint ? "No longer always told." : "Sessions about this entity are now always told it.",
      { kind: fact.kind },
    );
  }

  async toggleSuperseded(fact: AttributeRow): Promise<void> {
    const isActive = fact.status === "active";
    await this.#change(fact, { status: isActive ? "superseded" : "active" }, isActive ? "Marked as superseded." : "Marked as current.", {
      status: fact.status,
    });
  }

  /** Move a fact to another aspect, by name. */
  async move(fact: AttributeRow, from: AspectFacts, name: string): Promise<void> {
    await this.#change(fact, { aspect: name }, `Moved to ${name}.`, from.id === UNCLASSIFIED ? undefined : { aspect: from.name });
  }

  askAspect(fact: AttributeRow, aspect: AspectFacts): void {
    this.#askAspect(fact, aspect);
  }

  shortcuts(when: () => boolean): Shortcut[] {
    const hasFacts = (): boolean => when() && this.stop !== undefined;
    const one = (id: string, keys: readonly string[], label: string, run: (fact: AttributeRow, aspect: AspectFacts) => void): Shortcut => ({
      id: `entity.fact.${id}`,
      keys,
      label,
      group: ONE,
      when: () => when() && this.focused !== undefined,
      run: () => {
        const { focused } = this;
        if (focused !== undefined) run(...focused);
      },
    });
    return [
      {
        id: "entity.nextFact",
        keys: ["j", "ArrowDown"],
        label: "Next statement",
        group: "Entity",
        when: hasFacts,
        repeats: true,
        run: () => {
          this.step(1);
        },
      },
      {
        id: "entity.previousFact",
        keys: ["k", "ArrowUp"],
        label: "Previous statement",
        group: "Entity",
        when: hasFacts,
        repeats: true,
        run: () => {
          this.step(-1);
        },
      },
      one("constraint", ["c"], "Always tell it, or stop that", (fact) => void this.toggleConstraint(fact)),
      one("superseded", ["o"], "Mark as superseded or current", (fact) => void this.toggleSuperseded(fact)),
      one("move", ["v"], "Move to another aspect…", (fact, aspect) => {
        this.askAspect(fact, aspect);
      }),
    ];
  }
}
