/** Which project Home shows if none is asked for. */

/**
 * The one that was in use last when Home was opened: while the user looks at it, what happens in
 * another project doesn't take its place. `latest` are the projects, the most recently active first.
 */
export function homeProject(opened: string | undefined, latest: readonly { readonly key: string }[]): string | null {
  const isThere = opened !== undefined && latest.some(({ key }) => key === opened);
  return isThere ? opened : (latest[0]?.key ?? null);
}
