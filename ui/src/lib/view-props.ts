/** What the frame hands to a view, out of the view's entry in `routes.ts`. */
export interface ViewProps {
  readonly title: string;
  /** The address of its page of Help; undefined for Help itself. */
  readonly help: string | undefined;
}
