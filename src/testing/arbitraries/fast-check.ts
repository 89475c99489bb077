/** The fast-check that the caller has: it is not imported here, so that nobody needs it who does not use it. */
import type fastCheck from "fast-check";

export type FastCheck = typeof fastCheck;

/** @throws {TypeError} when it was forgotten */
export function assertFastCheck(fc: unknown, call: string): void {
  const given = fc as Partial<FastCheck> | null | undefined;
  if (typeof given?.record === "function" && typeof given.constantFrom === "function") return;
  throw new TypeError(
    `Give ${call} the fast-check that you have: \`import fc from "fast-check"\`, then \`${call}(fc)\`.`,
  );
}
