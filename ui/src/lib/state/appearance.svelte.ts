/** Appearance settings, from the system or the user. `public/theme.js` applies them before the first paint. */

import { readLocal, writeLocal } from "./local-storage";

/** The choices of each setting; the first is the default. */
export const APPEARANCE_CHOICES = {
  theme: ["system", "light", "dark"],
  contrast: ["system", "more", "normal"],
  motion: ["system", "less"],
  density: ["comfortable", "compact"],
  sidebar: ["auto", "wide", "narrow"],
} as const;

export type AppearanceSetting = keyof typeof APPEARANCE_CHOICES;
export type Choice<K extends AppearanceSetting = AppearanceSetting> = (typeof APPEARANCE_CHOICES)[K][number];

const ROW_PX = { comfortable: 32, compact: 28 };

function readChoice(look: AppearanceSetting): Choice {
  const value = readLocal(`intaglio.${look}`);
  return APPEARANCE_CHOICES[look].find((choice) => choice === value) ?? APPEARANCE_CHOICES[look][0];
}

export class Appearance {
  #chosen = $state.raw<Readonly<Record<AppearanceSetting, Choice>>>({
    theme: readChoice("theme"),
    contrast: readChoice("contrast"),
    motion: readChoice("motion"),
    density: readChoice("density"),
    sidebar: readChoice("sidebar"),
  });

  of(look: AppearanceSetting): Choice {
    return this.#chosen[look];
  }

  /** The row height of lists, equal to the token `--row`. */
  get rowPx(): number {
    return this.#chosen.density === "compact" ? ROW_PX.compact : ROW_PX.comfortable;
  }

  choose(look: AppearanceSetting, choice: Choice): void {
    this.#chosen = { ...this.#chosen, [look]: choice };
    writeLocal(`intaglio.${look}`, choice === APPEARANCE_CHOICES[look][0] ? undefined : choice);
    this.apply();
  }

  /** Follow the system's preferences and other tabs; returns a function that stops. */
  start(): () => void {
    const ended = new AbortController();
    const { signal } = ended;
    for (const query of ["(prefers-contrast: more)", "(prefers-reduced-motion: reduce)"]) {
      matchMedia(query).addEventListener(
        "change",
        () => {
          this.apply();
        },
        { signal },
      );
    }
    addEventListener(
      "storage",
      (event) => {
        const look = (Object.keys(APPEARANCE_CHOICES) as AppearanceSetting[]).find((name) => event.key === `intaglio.${name}`);
        if (look === undefined) return;
        this.#chosen = { ...this.#chosen, [look]: readChoice(look) };
        this.apply();
      },
      { signal },
    );
    return () => {
      ended.abort();
    };
  }

  /** Write the settings to the data attributes that the styles use. */
  apply(): void {
    const { theme, contrast, motion, density } = this.#chosen;
    const prefers = (query: string): boolean => matchMedia(query).matches;
    const more = contrast === "more" || (contrast === "system" && prefers("(prefers-contrast: more)"));
    const less = motion === "less" || prefers("(prefers-reduced-motion: reduce)");
    const data: Record<Exclude<AppearanceSetting, "sidebar">, string | undefined> = {
      theme: theme === "system" ? undefined : theme,
      contrast: more ? "more" : undefined,
      motion: less ? "less" : undefined,
      density: density === "compact" ? density : undefined,
    };
    for (const [look, value] of Object.entries(data)) {
      const name = `data-${look}`;
      if (value === undefined) document.documentElement.removeAttribute(name);
      else document.documentElement.setAttribute(name, value);
    }
  }
}

export const appearance = new Appearance();
