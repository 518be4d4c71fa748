/** How the JavaScript that runs within harnesses is linted; it isn't compiled. */

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["app/intaglio/_built/", "**/node_modules/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.node },
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", { max: 400 }],
      "no-console": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  // What a test asks for is printed.
  { files: ["tests/**"], rules: { "no-console": "off" } },
];
