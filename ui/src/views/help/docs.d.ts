/** What the build makes of assets/docs (the plugin is in ui/build/docs); `doc/library.ts` says what it is. */

declare module "virtual:docs" {
  const pages: unknown;
  export default pages;
}

declare module "virtual:docs/search" {
  const sections: unknown;
  export default sections;
}
