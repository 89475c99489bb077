/**
 * Changes of one part of an expression, of token rules and custom rules alike. The parts are the nodes of the tree, and what
 * takes their place comes from the tables of the language: operators by the type of the value, functions by their
 * parameters and result, fields by their type.
 */

import { quote } from "../../../../errors.ts";
import { type KnownField, knownFields } from "../../expression/language/fields.ts";
import {
  entryOfFunction,
  type FunctionName,
  functionNames,
  hasFunction,
  isTokenTest,
  tokenTests,
} from "../../expression/language/functions.ts";
import { type OperandKind, operatorsOfType } from "../../expression/language/operators.ts";
import type { RuleKind } from "../../expression/language/rule-kinds.ts";
import type { ScalarType } from "../../expression/language/types.ts";
import { printTree, printValue } from "../../expression/printer.ts";
import {
  type Combination,
  type Comparison,
  combinators,
  type Expression,
  type Literal,
  quantifiers,
  type Value,
} from "../../expression/tree.ts";
import { isClaims, isLookup, isValue } from "../../expression/tree-queries.ts";
import { toBytes, toText } from "../../expression/values/bytes.ts";
import { nameWithTitle } from "../../name-with-title.ts";
import type { ChangedPart, PartChanges } from "./part-changes.ts";

/** Other operators for the same operand, other combinators, quantifiers and tests, and `not` added or removed. */
export const operatorChanges: PartChanges = (node, { rules }) => [
  ...(node.kind === "constant" ? [] : [negation(node)]),
  ...otherOperators(node, rules),
];

function otherOperators(node: Expression, rules: RuleKind): readonly ChangedPart[] {
  switch (node.kind) {
    case "combination":
      return otherCombinators(node);
    case "quantified":
      return quantifiers
        .filter((name) => name !== node.quantifier)
        .map((quantifier) => ({ changed: { ...node, quantifier } }));
    case "constant":
      return [{ changed: { ...node, value: !node.value } }];
    case "comparison":
    case "test":
      return [...otherTests(node), ...otherComparisons(node, rules)].map((changed) => ({ changed }));
    default:
      return [];
  }
}

function negation(node: Expression): ChangedPart {
  const printed = quote(printTree(node));
  if (node.kind === "not")
    return { changed: node.operand, description: `the \`not\` of ${printed} is removed` };
  const changed: Expression = { kind: "not", operand: node, isArray: node.isArray, span: node.span };
  return { changed, description: `${printed} is negated` };
}

/** Another combinator between all operands, and between each two neighbors of several. */
function otherCombinators(node: Combination): readonly ChangedPart[] {
  const { operands } = node;
  const pairs = operands.length > 2 ? operands.slice(1).map((_, i) => i) : [];
  return combinators
    .filter((other) => other !== node.operator)
    .flatMap((operator) => [
      {
        changed: { ...node, operator },
        description: `the \`${node.operator}\` of ${quote(printTree(node))} becomes \`${operator}\``,
      },
      ...pairs.map((i) => {
        const pair: Combination = { ...node, operator, operands: operands.slice(i, i + 2) };
        const changed: Combination = { ...node, operands: operands.toSpliced(i, 2, pair) };
        return { changed, description: `a part becomes ${quote(printTree(pair))}` };
      }),
    ]);
}

/** The other test of the same token. */
function otherTests(node: Expression): readonly Expression[] {
  if (node.kind !== "test" || node.value.kind !== "call" || !isTokenTest(node.value.name)) return [];
  const { value } = node;
  return tokenTests.filter((name) => name !== value.name).map((name) => withCall(node, { ...value, name }));
}

function withCall(node: Extract<Expression, { kind: "test" }>, value: Value): Expression {
  return { ...node, value };
}

/** The tests of two strings that are functions and take the place of operators. */
const affixes = ["starts_with", "ends_with"] as const satisfies readonly FunctionName[];

/** The kinds of operands that are written as the same string. */
const textKinds: readonly OperandKind[] = ["value", "string", "wildcard", "regex"];

/** Operators of order; of strings, they only take each other's place. */
const orders: readonly string[] = ["lt", "le", "gt", "ge"];

/** Takes no other operator's place: the analysis does not look into it. */
const unmodelled: readonly string[] = ["bitwise_and"];

/** A comparison with one literal or pattern: its value, its operand as it is written, and its operator. */
interface Compared {
  readonly left: Value;
  readonly literal: Literal["value"];
  readonly operator: string;
}

function comparedOf(node: Expression): Compared | undefined {
  if (node.kind === "test" && node.value.kind === "call") {
    const [left, affix] = node.value.args;
    const operator = affixes.find((name) => name === (node.value as { readonly name?: string }).name);
    if (operator === undefined || left === undefined || left.kind === "literal") return undefined;
    return affix?.kind === "literal" ? { left, literal: affix.value, operator } : undefined;
  }
  if (node.kind !== "comparison") return undefined;
  const { left, operator, right } = node;
  return "value" in right ? { left, literal: right.value, operator } : undefined;
}

/** The same comparison with each other operator that can have the operand; of two values with each of equality and order. */
function otherComparisons(node: Expression, rules: RuleKind): readonly Expression[] {
  const compared = comparedOf(node);
  if (compared === undefined) {
    if (node.kind !== "comparison" || !isValue(node.right)) return [];
    return namesOfKind(node.left.type as ScalarType, ["value"])
      .filter((operator) => operator !== node.operator)
      .map((operator) => ({ ...node, operator }));
  }
  const { left, literal, operator } = compared;
  const type = left.type as ScalarType;
  const isOrder = type === "String" && orders.includes(operator);
  const names = namesOfKind(type, typeof literal === "string" ? textKinds : ["value"]);
  const allowed = names.filter((name) => type !== "String" || isOrder || !orders.includes(name));
  return [
    ...allowed
      .filter((name) => name !== operator && (!isOrder || orders.includes(name)))
      .filter((name) => !isSame(name, operator, literal))
      .map((name) => comparisonOf(node, left, name, literal)),
    ...affixes
      .filter((name) => type === "String" && !isOrder && name !== operator && hasFunction(rules, name))
      .map((name) => affixTest(node, left, name, literal)),
  ];
}

/** Whether two operators are the same for a string: `strict wildcard` without a star or an escape is `eq`. */
function isSame(name: string, other: string, literal: Literal["value"]): boolean {
  const pair: readonly string[] = ["eq", "strict wildcard"];
  return pair.includes(name) && pair.includes(other) && typeof literal === "string" && !/[*\\]/.test(literal);
}

function namesOfKind(type: ScalarType, kinds: readonly OperandKind[]): Comparison["operator"][] {
  return [...operatorsOfType(type)].flatMap(([name, { operand }]) =>
    kinds.includes(operand) && !unmodelled.includes(name) ? name : [],
  );
}

function comparisonOf(
  { isArray, span }: Expression,
  left: Value,
  operator: Comparison["operator"],
  value: Literal["value"],
): Comparison {
  const type = left.type as ScalarType;
  const kind = operatorsOfType(type).get(operator)?.operand;
  const right: Comparison["right"] =
    kind === "wildcard" || kind === "regex"
      ? { kind, value: String(value) }
      : { kind: "literal", type, isEach: false, value, span };
  return { kind: "comparison", left, operator, right, isArray, span };
}

function affixTest(
  { isArray, span }: Expression,
  left: Value,
  name: FunctionName,
  value: Literal["value"],
): Expression {
  const affix: Literal = { kind: "literal", type: "String", isEach: false, value, span };
  const type = isArray ? "Array<Bool>" : "Bool";
  return {
    kind: "test",
    value: { kind: "call", name, args: [left, affix], type, isEach: false, span },
    isArray,
    span,
  };
}

/** Each operand of a combination removed. */
export const removedOperands: PartChanges = (node) => {
  if (node.kind !== "combination") return [];
  return node.operands.map((removed, i) => {
    const kept = node.operands.toSpliced(i, 1);
    const [only, ...more] = kept;
    const changed = only !== undefined && more.length === 0 ? only : { ...node, operands: kept };
    return { changed, description: `the operand ${quote(printTree(removed))} is removed` };
  });
};

/** Each other configuration of the zone. */
export const otherConfigs: PartChanges = (node, { configs }) =>
  withParts(node, (part) => {
    const id = idAt(part);
    if (id === undefined) return [];
    return configs
      .filter((config) => toBytes(config.id) !== id)
      .map((config) => ({
        part: withId(part, toBytes(config.id)),
        description: `the configuration of ${quote(printTree(node))} becomes ${nameWithTitle(config)}`,
      }));
  });

/** The id of the configuration that a test of a token has, or a claim. */
function idAt(value: Value): string | undefined {
  if (value.kind === "index" && isClaims(value.of)) return String(value.key);
  const [id] = value.kind === "call" && isTokenTest(value.name) ? value.args : [];
  return id?.kind === "literal" ? String(id.value) : undefined;
}

function withId(value: Value, id: string): Value {
  if (value.kind === "index") return { ...value, key: id };
  if (value.kind !== "call") return value;
  return { ...value, args: value.args.map((arg) => (arg.kind === "literal" ? { ...arg, value: id } : arg)) };
}

/** Each function removed, another one with the same parameters and result, or one added. */
export const otherFunctions: PartChanges = (node, { rules }) =>
  withParts(node, (part) => {
    const value = callAt(part);
    const isText = part.type === "String" && !isCallOfEach(part) && !isPayload(part) && !isWithEmpty(node);
    const added = isText ? addedCalls(part, rules) : [];
    const ignoresCase = node.kind === "comparison" && node.operator === "wildcard" && node.left === part;
    return [
      ...(value === undefined ? [] : otherCalls(part, value, rules)),
      ...added.filter(
        (candidate) => !ignoresCase || !caseFunctions.some((name) => name === callAt(candidate)?.name),
      ),
    ].map((changed) => ({ part: changed }));
  });

/** Without an effect where letters match in both cases. */
const caseFunctions: readonly FunctionName[] = ["lower", "upper"];

/** Whether a comparison is with the empty string, which is the result of these functions for itself alone. */
function isWithEmpty(node: Expression): boolean {
  return node.kind === "comparison" && node.right.kind === "literal" && node.right.value === "";
}

/** Whether a value is the claims of a token as JSON. */
function isPayload(value: Value): boolean {
  if (value.kind === "field")
    return value.name.startsWith("http.request.jwt.claims") && value.name.split(".").length < 5;
  return value.kind !== "call" && isPayload(value.of);
}

type Call = Extract<Value, { kind: "call" }>;

/** A call, or the results of one for each element. */
function callAt(value: Value): Call | undefined {
  const call = value.kind === "each" ? value.of : value;
  return call.kind === "call" ? call : undefined;
}

/** Whether a value is an array of results, of which `[*]` has each. */
function isCallOfEach(value: Value): boolean {
  return value.kind === "call" && value.args[0]?.isEach === true;
}

function otherCalls(part: Value, call: Call, rules: RuleKind): Value[] {
  const [first] = call.args;
  const isRemovable =
    first !== undefined && first.kind !== "literal" && first.type === part.type && !isLookup(call);
  const same = signature(call.name);
  const others = functionNames.filter((name) => {
    const isAffix = affixes.some((affix) => affix === name) || isTokenTest(name);
    return name !== call.name && !isAffix && hasFunction(rules, name) && signature(name) === same;
  });
  return [
    ...(isRemovable ? [first] : []),
    ...others.map(
      (name): Value => (part.kind === "each" ? { ...part, of: { ...call, name } } : { ...call, name }),
    ),
  ];
}

function signature(name: FunctionName): string {
  const { parameters, rest, result } = entryOfFunction(name);
  return JSON.stringify([parameters.filter(({ optional }) => !optional), rest, result]);
}

/** The fields whose values can have percent-encoding. */
const encodedFields = /^(?:raw\.)?http\.request\.(?:uri|full_uri|body)/;

function addedCalls(value: Value, rules: RuleKind): Value[] {
  const { span } = value;
  const own = callAt(value)?.name;
  const isEncoded = rules === "custom" && own === undefined && encodedFields.test(printValue(value));
  const added: readonly FunctionName[] = isEncoded ? [...caseFunctions, "url_decode"] : caseFunctions;
  return added
    .filter((name) => name !== own)
    .map((name): Value => {
      const call = { kind: "call", name, args: [value], isEach: false, span } as const;
      if (!value.isEach) return { ...call, type: "String" };
      return { kind: "each", of: { ...call, type: "Array<String>" }, type: "String", isEach: true, span };
    });
}

/** Fields beside another one; of an element the next and the previous position, and the other names of the zone. */
export const otherFields: PartChanges = (node, { rules, known }) =>
  withParts(node, (part) => {
    if (part.kind === "field")
      return fieldsBeside(part.name, rules).map((name) => ({ part: { ...part, name } }));
    if (part.kind !== "index" || isClaims(part.of)) return [];
    const { key } = part;
    const keys =
      typeof key === "number"
        ? [key + 1, ...(key > 0 ? [key - 1] : [])]
        : known.keys(part.of).filter((other) => other !== key);
    return keys.map((other) => ({ part: { ...part, key: other } }));
  });

/** The fields without other names of them, in the order of the table. */
const ownFields = [...knownFields].filter(([name, { base, part }]) => name === base && part === undefined);

/** The previous and the next field with the same type, source and area. */
function fieldsBeside(name: string, rules: RuleKind): readonly string[] {
  const field = knownFields.get(name);
  if (field === undefined || isMap(field)) return [];
  const same = ownFields.filter(([other, { type, source }]) => {
    const isSameKind = type === field.type && source === field.source && areaOf(other) === areaOf(field.base);
    return isSameKind && (rules === "custom" || tokenFields.includes(other));
  });
  const at = same.findIndex(([other]) => other === field.base);
  return [same[at - 1], same[at + 1]].flatMap((neighbor) => neighbor?.[0] ?? []);
}

function isMap({ type, part }: KnownField): boolean {
  return type.startsWith("Map<") || part !== undefined;
}

/** The first two parts of a name with more, else the first one. */
function areaOf(name: string): string {
  const parts = name.split(".");
  return parts.slice(0, parts.length > 2 ? 2 : 1).join(".");
}

/** The fields that take each other's place in token rules: those of the target, which every request states. */
const tokenFields: readonly string[] = [
  "http.host",
  "http.request.method",
  "http.request.uri",
  "http.request.uri.path",
  "http.request.uri.query",
];

/** Each name in a lookup another one of the zone; the only one longer. */
export const otherClaims: PartChanges = (node, { known }) =>
  withParts(node, (part) => {
    if (!isLookup(part)) return [];
    return part.args.flatMap((key, i) => {
      if (i === 0 || key.kind !== "literal" || typeof key.value !== "string") return [];
      const others = known.claims.filter((name) => name !== key.value);
      const names = others.length === 0 ? [`${key.value}x`] : others;
      return names.map((name) => ({
        part: { ...part, args: part.args.with(i, { ...key, value: name }) },
        description: `the claim ${quote(toText(key.value as string) ?? "")} becomes ${quote(toText(name) ?? "")}`,
      }));
    });
  });

/** A changed value within a node. */
interface ValueChange {
  readonly part: Value;
  readonly description?: string;
}

/** The node with each change of each of its values. */
function withParts(
  node: Expression,
  change: (value: Value) => readonly ValueChange[],
): readonly ChangedPart[] {
  const wrap =
    (rebuild: (value: Value) => Expression) =>
    ({ part, ...rest }: ValueChange): ChangedPart => ({ ...rest, changed: rebuild(part) });
  if (node.kind === "test")
    return changedValues(node.value, change).map(wrap((value) => ({ ...node, value })));
  if (node.kind !== "comparison") return [];
  const { left, right } = node;
  return [
    ...changedValues(left, change).map(wrap((changed) => ({ ...node, left: changed }))),
    ...(isValue(right)
      ? changedValues(right, change).map(wrap((changed) => ({ ...node, right: changed })))
      : []),
  ];
}

function changedValues(
  value: Value,
  change: (value: Value) => readonly ValueChange[],
): readonly ValueChange[] {
  const own = change(value);
  if (value.kind === "field") return own;
  if (value.kind !== "call") {
    // The call and its `[*]` are one part.
    const inner =
      value.kind === "each" && value.of.kind === "call"
        ? argumentChanges(value.of, change)
        : changedValues(value.of, change);
    return [...own, ...inner.map((changed) => ({ ...changed, part: { ...value, of: changed.part } }))];
  }
  return [...own, ...argumentChanges(value, change)];
}

function argumentChanges(
  call: Call,
  change: (value: Value) => readonly ValueChange[],
): readonly ValueChange[] {
  return call.args.flatMap((arg, i) =>
    arg.kind === "literal"
      ? []
      : changedValues(arg, change).map((changed) => ({
          ...changed,
          part: { ...call, args: call.args.with(i, changed.part) },
        })),
  );
}
