/**
 * Translates expressions to formulas. A part that the analysis does not look into has any result; equal
 * parts have one.
 */

import { isTokenTest, type TokenTestName } from "../../expression/language/functions.ts";
import { printedTree } from "../../expression/printer.ts";
import type {
  Comparison,
  Expression,
  Literal,
  Quantified,
  quantifiers,
  Test,
  Value,
} from "../../expression/tree.ts";
import { configsOf, isValue, testsOf, valuesOf } from "../../expression/tree-queries.ts";
import { toText } from "../../expression/values/bytes.ts";
import type { CompiledList } from "../../expression/values/lists.ts";
import { always, every, type Formula, negate, never, some } from "./formula.ts";
import { comparisonTest, rangesTest, type ScalarTest } from "./scalar-cells.ts";
import type { TranslationScope } from "./scope.ts";
import { type ListSubject, type Subject, subjectsOf } from "./subjects.ts";
import { compareText, decided, operandText } from "./text-tests.ts";

/** Translates an expression. */
export function translate(scope: TranslationScope, expression: Expression): Formula {
  switch (expression.kind) {
    case "combination":
      return {
        kind: "combination",
        operator: expression.operator,
        operands: expression.operands.map((operand) => translate(scope, operand)),
      };
    case "not":
      return negate(translate(scope, expression.operand));
    case "constant":
      return expression.value ? always : never;
    default: {
      const text = printedTree(expression);
      const formula =
        scope.known.get(text) ?? translateTest(scope, expression) ?? freeFormula(scope, expression);
      scope.known.set(text, formula);
      return formula;
    }
  }
}

/** A part with any result. Its key has everything that the result depends on but the request. */
function freeFormula(scope: TranslationScope, test: Test): Formula {
  const text = printedTree(test);
  const { configs, allConfigs } = configsOf(test);
  const ids = allConfigs ? [...scope.configs.keys()] : configs;
  const lists = testsOf(test).flatMap((part) =>
    part.kind === "comparison" && part.right.kind === "list" ? [scope.lists.get(part.right.name)?.items] : [],
  );
  const print = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
  const key = `free ${JSON.stringify([text, ids.map((id) => scope.configs.get(id) ?? null), lists, scope.zone], print)}`;
  if (!scope.unread.has(key)) scope.unread.set(key, { text, why: explainFree(scope, test) });
  return { kind: "own", location: key, test: scope.own.testAt(key, { kind: "Bool" }, { kind: "true" }) };
}

/** Why the analysis does not look into a part. */
function explainFree({ lists }: TranslationScope, test: Test): string {
  const tests = testsOf(test);
  for (const part of tests) {
    if (part.kind !== "comparison") continue;
    if (part.right.kind === "list" && !lists.has(part.right.name))
      return `the list \`$${part.right.name}\` is not given`;
  }
  const calls = valuesOf(test).flatMap((value) => (value.kind === "call" ? [value.name] : []));
  const unsupported = calls.find((name) => !supportedCalls.includes(name));
  if (unsupported !== undefined) return `the function \`${unsupported}\` has no model`;
  if (tests.some((part) => part.kind === "comparison" && isValue(part.right)))
    return "a comparison of two values of the request has no model";
  const [comparison] = tests.flatMap((part) => (part.kind === "comparison" ? part : []));
  return `${comparison === undefined ? "this test" : `\`${comparison.operator}\` of this value`} has no model`;
}

const supportedCalls: readonly string[] = [
  "lower",
  "upper",
  "len",
  "url_decode",
  "concat",
  "starts_with",
  "ends_with",
  "has_key",
  "has_value",
  "lookup_json_string",
  "lookup_json_integer",
  "cidr",
  "cidr6",
];

function translateTest(scope: TranslationScope, test: Test): Formula | undefined {
  const subjects = subjectsOf(scope);
  switch (test.kind) {
    case "constant":
      return test.value ? always : never;
    case "quantified":
      return translateQuantified(scope, test, true);
    case "comparison":
      return compare(scope, subjects.subjectOf(test.left), test);
    case "test":
      return translateCall(scope, test.value);
  }
}

/** A comparison of one value; undefined without a model. */
function compare(
  { lists }: TranslationScope,
  subject: Subject | undefined,
  { operator, right }: Comparison,
): Formula | undefined {
  if (right.kind === "list" && !lists.has(right.name)) return undefined;
  if (subject === undefined || isValue(right)) return undefined;
  if (subject.kind === "missing") return never;
  const list = right.kind === "list" ? lists.get(right.name) : undefined;
  if (subject.kind === "text") return compareText(subject, operator, right, list);
  if (subject.kind === "Bool") return undefined;
  const test = scalarTest(subject.kind, operator, right, list);
  return test && subject.leaf(test);
}

function scalarTest(
  type: "Int" | "IP",
  operator: Comparison["operator"],
  right: Comparison["right"],
  list: CompiledList | undefined,
): ScalarTest | undefined {
  if (list !== undefined)
    return rangesTest(
      type,
      list.items.filter((item) => typeof item !== "string"),
    );
  if (right.kind === "literal" && typeof right.value !== "string")
    return comparisonTest(type, operator, right.value);
  if (right.kind !== "set") return undefined;
  return rangesTest(
    type,
    right.items.flatMap((item) => (item.type === "String" ? [] : [item])),
  );
}

/** A value of type Bool. */
function translateCall(scope: TranslationScope, value: Value): Formula | undefined {
  const subjects = subjectsOf(scope);
  if (value.kind !== "call") {
    const subject = subjects.subjectOf(value);
    return subject?.kind === "Bool" ? subject.leaf : undefined;
  }
  const [first, second] = value.args;
  if (isTokenTest(value.name)) return tokenFormula(scope, value.name, first);
  if (first === undefined || first.kind === "literal" || first.isEach) return undefined;
  const operand = second?.kind === "literal" && typeof second.value === "string" ? second.value : undefined;
  if (operand === undefined) return undefined;
  switch (value.name) {
    case "starts_with":
    case "ends_with":
      return affix(subjects.subjectOf(first), value.name, operand);
    case "has_key": {
      const list = subjects.listOfName(first, operand);
      return list && (list.kind === "missing" ? never : list.isPresent(0));
    }
    case "has_value": {
      const list = subjects.listOf(first);
      return (
        list && elementsOf(list, "any", (element) => compareText(element, "eq", literal(operand), undefined))
      );
    }
    default:
      return undefined;
  }
}

/** A test of a token. @throws RangeError when its configuration is missing */
function tokenFormula(
  { configs }: TranslationScope,
  test: TokenTestName,
  argument: Value | Literal | undefined,
): Formula {
  const bytes = argument?.kind === "literal" ? String(argument.value) : "";
  const id = toText(bytes) ?? bytes;
  const config = configs.get(id);
  if (config === undefined) throw new RangeError(`There is no token configuration \`${id}\`.`);
  return { kind: "token", test, config };
}

function literal(value: string): Comparison["right"] {
  return { kind: "literal", type: "String", value, isEach: false, span: { start: 0, end: 0 } };
}

function affix(
  subject: Subject | undefined,
  operator: "starts_with" | "ends_with",
  operand: string,
): Formula | undefined {
  if (subject?.kind === "missing") return never;
  const text = operandText(operand);
  if (subject?.kind !== "text" || text === undefined || subject.functions[0] === "len") return undefined;
  return decided(subject, { operator, operand: text });
}

/** The other quantifier. */
const dual = { any: "all", all: "any" } as const satisfies Record<(typeof quantifiers)[number], string>;

/**
 * `any` and `all` over the elements of one list. Of the results of a call, `all` is false when the list is missing, unless
 * they are negated.
 */
function translateQuantified(
  scope: TranslationScope,
  { quantifier, operand }: Pick<Quantified, "quantifier" | "operand">,
  isOutermost: boolean,
): Formula | undefined {
  if (operand.kind === "not") {
    const inner = { quantifier: dual[quantifier], operand: operand.operand };
    const opposite = translateQuantified(scope, inner, false);
    return opposite && negate(opposite);
  }
  const subjects = subjectsOf(scope);
  if (operand.kind === "comparison") {
    const { left, operator, right } = operand;
    const list = subjects.listOfEach(left);
    if (list === undefined) return undefined;
    const all = right.kind === "list" ? scope.lists.get(right.name) : undefined;
    if (right.kind === "list" && all === undefined) return undefined;
    return elementsOf(
      list,
      quantifier,
      (element) => compareText(element, operator, right, all),
      (element) => compare(scope, element, operand),
    );
  }
  if (operand.kind !== "test" || operand.value.kind !== "call") return undefined;
  const { name, args } = operand.value;
  const [first, second] = args;
  if (first === undefined || first.kind === "literal") return undefined;
  if ((name !== "starts_with" && name !== "ends_with") || second?.kind !== "literal") return undefined;
  const list = subjects.listOfEach(first);
  if (list === undefined) return undefined;
  const found = elementsOf(list, quantifier, (element) => affix(element, name, String(second.value)));
  if (found === undefined || quantifier === "any" || !isOutermost) return found;
  return list.kind === "missing" ? never : every([list.isPresent(0), found]);
}

/** A condition for the elements of a list. */
function elementsOf(
  list: ListSubject,
  quantifier: (typeof quantifiers)[number],
  ofText: (element: Extract<Subject, { kind: "text" }>) => Formula | undefined,
  ofOther: (element: Subject) => Formula | undefined = () => undefined,
): Formula | undefined {
  if (list.kind === "missing") return quantifier === "any" ? never : always;
  if (list.kind === "shared") return ofText(list.each(quantifier));
  const results = list.elements.map((element) =>
    element.kind === "text" ? ofText(element) : ofOther(element),
  );
  const known = results.filter((result) => result !== undefined);
  if (known.length < results.length) return undefined;
  if (quantifier === "any") return some(known);
  return every(known.map((formula, i) => some([negate(list.isPresent(i)), formula])));
}
