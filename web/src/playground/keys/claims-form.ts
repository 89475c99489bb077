/** The form of a token: texts, of which an empty one is no claim. */

/** Claims as they are typed; `exp` and `nbf` are seconds from the time of signing. */
export interface ClaimsForm {
  readonly sub: string;
  readonly iss: string;
  /** Several are separated by spaces. */
  readonly aud: string;
  readonly exp: string;
  readonly nbf: string;
  /** A JSON object. */
  readonly others: string;
}
