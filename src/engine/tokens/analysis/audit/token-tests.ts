/** Token tests that no rule contains, for questions about the tokens of a request. */

import type { TokenTest } from "../../expression/ast.ts";

/** Returns the test of a configuration: the same object each time, as the caches of diagrams need. */
export type TokenTests = (test: TokenTest["test"], configId: string) => TokenTest;

const noSpan = { start: 0, end: 0 };

/** Creates the tests on demand. */
export function createTokenTests(): TokenTests {
  const tests = { is_jwt_valid: new Map<string, TokenTest>(), is_jwt_present: new Map<string, TokenTest>() };
  return (test, configId) => {
    const existing = tests[test].get(configId);
    if (existing !== undefined) return existing;
    const added: TokenTest = { kind: "token", test, configId, configSpan: noSpan, span: noSpan };
    tests[test].set(configId, added);
    return added;
  };
}
