/** The modules that ui/build/docs generates from assets/docs; `doc/library.ts` types them. */

declare module "virtual:docs" {
  const pages: unknown;
  export default pages;
}

declare module "virtual:docs/search" {
  const sections: unknown;
  export default sections;
}
