/**
 * Rules that reject the preflights of browsers: requests with the method OPTIONS, without credentials and headers of the
 * page (Fetch standard, section 4.8).
 */

import type { NotedSpan } from "../../../expression/noted-expression.ts";
import { printedTree } from "../../../expression/printer.ts";
import type { Expression, Literal, Test, Value } from "../../../expression/tree.ts";
import { leavesOf, testsOf, tokenTestOf, valuesOf } from "../../../expression/tree-queries.ts";
import type { RuleExpression } from "./rule-expression.ts";

/** Headers with credentials, which no preflight has. */
const credentials: readonly unknown[] = ["authorization", "x-api-key", "x-auth-token", "x-access-token"];

/** Methods that scripts of other origins send after a preflight. */
const methods = ["POST", "PUT", "PATCH", "DELETE"];

/** The maximum number of other tests, whose values are tried one after the other. */
const maxOthers = 8;

/** The note about a rule that rejects the preflight of a request that it lets pass. */
export function findBlockedPreflight({ tree, rejects }: RuleExpression): NotedSpan[] {
  const tests = leavesOf(tree);
  const requirements = tests.filter((test) => requirementOf(test) !== undefined);
  const [first] = requirements;
  if (rejects === undefined || first === undefined || requirements.some(namesOptions)) return [];
  const others = [...new Set(tests.filter((test) => !requirements.includes(test)).map(printedTree))];
  if (others.length > maxOthers) return [];
  const isRejected = Array.from({ length: 2 ** others.length }, (_, bits) => bits).some((bits) => {
    const holds = (method: string, hasCredentials: boolean) => (test: Test) =>
      valueFor(test, method, hasCredentials) ?? ((bits >> others.indexOf(printedTree(test))) & 1) === 1;
    return (
      evaluate(tree, holds("OPTIONS", false)) === rejects &&
      methods.some((method) => evaluate(tree, holds(method, true)) !== rejects)
    );
  });
  if (!isRejected) return [];
  const exemption = rejects ? 'and http.request.method ne "OPTIONS"' : 'or http.request.method eq "OPTIONS"';
  const message = `The rule rejects the preflights of browsers, which have the method OPTIONS and no credentials; add \`${exemption}\`.`;
  return [{ span: first.span, message }];
}

/** The requirement of a test; undefined for another test, also for one of claims, which is about more than a token. */
function requirementOf(test: Test): "method" | "credentials" | undefined {
  const values = valuesOf(test);
  const isOfToken = tokenTestOf(test) !== undefined;
  if (isOfToken || values.some(isCredential) || testsOf(test).some(namesCredential)) return "credentials";
  return values.some((value) => isField(value, "http.request.method")) ? "method" : undefined;
}

function isCredential(value: Value): boolean {
  if (value.kind === "index")
    return isField(value.of, "http.request.headers") && credentials.includes(value.key);
  if (value.kind !== "call" || value.name !== "has_key") return false;
  const [map, key] = value.args;
  return isField(map, "http.request.headers") && key?.kind === "literal" && credentials.includes(key.value);
}

/** Whether a test compares the names of headers with one of credentials. */
function namesCredential(test: Test): boolean {
  return (
    test.kind === "comparison" &&
    test.right.kind === "literal" &&
    credentials.includes(test.right.value) &&
    valuesOf(test).some((value) => isField(value, "http.request.headers.names"))
  );
}

function isField(value: Value | Literal | undefined, name: string): boolean {
  return value?.kind === "field" && value.name === name;
}

function namesOptions(test: Test): boolean {
  const texts = methodsOf(test);
  return texts?.includes("OPTIONS") ?? false;
}

/** The methods that a test compares with; undefined for another test. */
function methodsOf(test: Test): readonly string[] | undefined {
  if (test.kind !== "comparison" || !isField(test.left, "http.request.method")) return undefined;
  const { right } = test;
  if (right.kind === "literal") return [String(right.value)];
  return right.kind === "set"
    ? right.items.flatMap((item) => (item.type === "String" ? item.value : []))
    : undefined;
}

/** The value of a test for a request with a method, with or without credentials; undefined for another test. */
function valueFor(test: Test, method: string, hasCredentials: boolean): boolean | undefined {
  if (test.kind === "constant") return test.value;
  const required = requirementOf(test);
  if (required === "credentials") return hasCredentials;
  const compared = required === "method" ? methodsOf(test) : undefined;
  if (compared === undefined || test.kind !== "comparison") return undefined;
  if (test.operator === "eq" || test.operator === "in") return compared.includes(method);
  return test.operator === "ne" ? !compared.includes(method) : undefined;
}

/** The value of an expression, by those of its tests. */
function evaluate(tree: Expression, holds: (test: Test) => boolean): boolean {
  if (tree.kind === "not") return !evaluate(tree.operand, holds);
  if (tree.kind !== "combination") return holds(tree);
  const values = tree.operands.map((operand) => evaluate(operand, holds));
  switch (tree.operator) {
    case "or":
      return values.includes(true);
    case "and":
      return !values.includes(false);
    case "xor":
      return values.filter(Boolean).length % 2 === 1;
  }
}
