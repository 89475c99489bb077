/** Other ways to read a text, each worked out when it is first asked for. */
import { skeleton } from "./confusables.ts";

export interface Forms {
  readonly text: string;
  /** What it looks like. */
  skeleton(): string;
  withoutHyphens(): string;
  withoutDots(): string;
}

/** The forms of a text. */
export function formsOf(text: string): Forms {
  return {
    text,
    skeleton: once(() => skeleton(text)),
    withoutHyphens: once(() => (text.includes("-") ? text.replaceAll("-", "") : text)),
    withoutDots: once(() => (text.includes(".") ? text.replaceAll(".", "") : text)),
  };
}

/** Makes something when it is first asked for, and keeps it. */
export function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
