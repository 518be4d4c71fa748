// Runs before the first paint, so that the page never flashes in another theme. The settings are
// defined in src/lib/state/appearance.svelte.ts.
(() => {
  const { dataset } = document.documentElement;
  const chosen = (name) => {
    try {
      return localStorage.getItem(`intaglio.${name}`);
    } catch {
      // Storage is disabled: follow the system.
      return null;
    }
  };
  const prefers = (query) => matchMedia(query).matches;
  const theme = chosen("theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  const contrast = chosen("contrast");
  if (contrast === "more" || (contrast !== "normal" && prefers("(prefers-contrast: more)"))) dataset.contrast = "more";
  const motion = chosen("motion");
  if (motion === "less" || prefers("(prefers-reduced-motion: reduce)")) dataset.motion = "less";
  if (chosen("density") === "compact") dataset.density = "compact";
})();
