/** The theme: the system's, or the one that the user chose. `public/theme.js` sets it first. */

export type Theme = "system" | "light" | "dark";

const STORED = "intaglio.theme";

function stored(): Theme {
  const value = localStorage.getItem(STORED);
  return value === "light" || value === "dark" ? value : "system";
}

class ThemeChoice {
  #chosen = $state<Theme>(stored());

  get chosen(): Theme {
    return this.#chosen;
  }

  choose(theme: Theme): void {
    this.#chosen = theme;
    const root = document.documentElement;
    if (theme === "system") {
      localStorage.removeItem(STORED);
      delete root.dataset.theme;
    } else {
      localStorage.setItem(STORED, theme);
      root.dataset.theme = theme;
    }
  }

  /** System, light, dark, and round again. */
  next(): void {
    const order: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
    this.choose(order[this.#chosen]);
  }
}

export const theme = new ThemeChoice();
