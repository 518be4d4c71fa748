// Runs before the first paint, so that what was chosen never flashes in another look. What the
// choices are stands in src/lib/state/theme.svelte.ts.
(() => {
  const { dataset } = document.documentElement;
  const chosen = (name) => {
    try {
      return localStorage.getItem(`intaglio.${name}`);
    } catch {
      // Storage may be switched off; what the system asks for stands.
      return null;
    }
  };
  const asks = (query) => matchMedia(query).matches;
  const theme = chosen("theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  const contrast = chosen("contrast");
  if (contrast === "more" || (contrast !== "normal" && asks("(prefers-contrast: more)"))) dataset.contrast = "more";
  const motion = chosen("motion");
  if (motion === "less" || asks("(prefers-reduced-motion: reduce)")) dataset.motion = "less";
  if (chosen("density") === "compact") dataset.density = "compact";
})();
