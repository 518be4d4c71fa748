/** Which page of Help is about which view: what stands beside the view's title. */

/** By the view's path: a page of `assets/docs`, with or without a section. */
export const HELP: Readonly<Record<string, string>> = {
  "/memories": "memories",
  "/forgotten": "memories#forgotten",
  "/agents": "agents",
  "/queue": "status#the-queue",
  "/status": "status",
};

/** The address of what Help says about a view; nothing where it says nothing of its own. */
export function helpFor(path: string): string | undefined {
  const page = HELP[path];
  return page === undefined ? undefined : `/help/${page}`;
}
