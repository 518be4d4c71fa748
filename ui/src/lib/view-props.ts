/** The props of every view, taken from its entry in `routes.ts`. */
export interface ViewProps {
  readonly title: string;
  /** The path of its Help page; undefined for Help itself. */
  readonly help: string | undefined;
}
