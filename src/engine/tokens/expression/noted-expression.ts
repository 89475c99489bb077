/** The expression that a remark is about, and its message. */

import type { Scope } from "./compile-value.ts";
import type { Span } from "./syntax-error.ts";
import type { Expression } from "./tree.ts";

/** A remark before its line and column are known. */
export interface NotedSpan {
  readonly span: Span;
  /** One sentence. */
  readonly message: string;
  /** The correction, when there is only one: a part of the text, and what replaces it. */
  readonly correction?: { readonly span: Span; readonly text: string };
}

/** An expression in its zone. */
export interface NotedExpression {
  readonly scope: Scope;
  readonly text: string;
  readonly tree: Expression;
}
