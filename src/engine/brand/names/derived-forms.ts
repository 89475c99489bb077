/** Derived forms of a string, each computed at the first use. */
import { skeleton } from "./confusables.ts";

export interface DerivedForms {
  readonly text: string;
  /** See `confusables.ts`. */
  skeleton(): string;
  withoutHyphens(): string;
  withoutDots(): string;
}

/** The derived forms of a string. */
export function derivedFormsOf(text: string): DerivedForms {
  return {
    text,
    skeleton: once(() => skeleton(text)),
    withoutHyphens: once(() => (text.includes("-") ? text.replaceAll("-", "") : text)),
    withoutDots: once(() => (text.includes(".") ? text.replaceAll(".", "") : text)),
  };
}

/** Calls `make` at the first call and returns the same value ever after. */
export function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
