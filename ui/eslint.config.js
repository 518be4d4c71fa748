import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

const nothingFetches = [
  { name: "fetch", message: "Only lib/api talks to the daemon." },
  { name: "EventSource", message: "Only lib/api talks to the daemon." },
  { name: "XMLHttpRequest", message: "Only lib/api talks to the daemon." },
];

const forbidden = (...patterns) => ["error", { patterns }];

export default ts.config(
  { ignores: ["node_modules/", ".svelte-check/", "src/lib/api/schema.d.ts", "public/"] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        projectService: { allowDefaultProject: ["*.js", "vite.config.ts"] },
        extraFileExtensions: [".svelte"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: "error",
      "no-restricted-globals": ["error", ...nothingFetches],
      "max-lines": ["error", { max: 400 }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // The page's CSP forbids inline styles and markup from data.
      "svelte/no-inline-styles": ["error", { allowTransitions: false }],
      "svelte/no-at-html-tags": "error",
      "svelte/button-has-type": "error",
      // Rendered state is declared with $state; other maps and sets are bookkeeping.
      "svelte/prefer-svelte-reactivity": "off",
      // `let` is how a bound or derived prop is declared.
      "prefer-const": "off",
      "svelte/prefer-const": "error",
    },
  },
  {
    files: ["src/lib/api/**"],
    rules: {
      "no-restricted-globals": "off",
      "no-restricted-imports": forbidden({
        group: ["**/views/**", "$lib/state/*", "$lib/keys/*", "$lib/components/*"],
        message: "lib/api imports nothing else.",
      }),
    },
  },
  {
    files: ["src/lib/components/**"],
    rules: {
      "no-restricted-imports": forbidden({
        group: ["**/views/**", "$lib/*", "!$lib/components", "../*"],
        message: "Components import nothing but tokens and each other.",
      }),
    },
  },
  {
    files: ["src/lib/state/**", "src/lib/keys/**"],
    rules: {
      "no-restricted-imports": forbidden({ group: ["**/views/**"], message: "Views import lib, never the other way." }),
    },
  },
  {
    files: ["src/views/*/*"],
    rules: {
      "no-restricted-imports": forbidden({ group: ["../*/**", "../../views/**"], message: "Views import lib, never each other." }),
    },
  },
  {
    files: ["src/views/*/*/**"],
    rules: {
      "no-restricted-imports": forbidden({ group: ["../../**"], message: "Views import lib, never each other." }),
    },
  },
  { files: ["*.js"], ...ts.configs.disableTypeChecked },
);
