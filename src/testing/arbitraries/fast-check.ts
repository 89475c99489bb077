/** The caller's fast-check. It is not imported here, so that it stays an optional dependency. */
import type fastCheck from "fast-check";

/** The default export of the fast-check package. */
export type FastCheck = typeof fastCheck;

/** @throws {TypeError} when the argument is not fast-check */
export function assertFastCheck(fc: unknown, call: string): asserts fc is FastCheck {
  if (hasMethod(fc, "record") && hasMethod(fc, "constantFrom")) return;
  throw new TypeError(
    `The first argument of ${call} must be fast-check: \`import fc from "fast-check"\`, then \`${call}(fc)\`.`,
  );
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    name in value &&
    typeof Reflect.get(value, name) === "function"
  );
}
