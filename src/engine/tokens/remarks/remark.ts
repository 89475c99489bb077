/** Remarks on input that is accepted and probably a mistake. */

/** The kinds of remarks, which are checks of the analysis. */
export type RemarkKind = "cannot-match" | "port-removed" | "unknown-member";

/** A remark on a value of a zone. */
export interface Remark {
  readonly kind: RemarkKind;
  /** RFC 6901 pointer of the value. */
  readonly pointer: string;
  /** One sentence: what is allowed and what was found. */
  readonly message: string;
}
