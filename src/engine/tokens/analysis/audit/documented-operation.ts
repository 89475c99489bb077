/** Operations with the security that a document, such as an OpenAPI file, declares for them. */

import type { Operation } from "../../model.ts";

/** A way to authenticate that a document declares. */
export interface DocumentedScheme {
  /** The name in the document. */
  readonly name: string;
  /** The token source of its credential; absent when no token source can read it, as for a query parameter. */
  readonly source?: string;
}

/** Schemes that a request must all meet; none: the request needs no credential. */
export type SecurityAlternative = readonly DocumentedScheme[];

/** An operation of a document. Its host has no variables. */
export interface DocumentedOperation extends Operation {
  /** Alternatives, one of which a request must meet; none: the operation is public. */
  readonly security: readonly SecurityAlternative[];
}

/** Whether the document allows requests without any credential. */
export function isPublic({ security }: Pick<DocumentedOperation, "security">): boolean {
  return security.length === 0 || security.some((schemes) => schemes.length === 0);
}
