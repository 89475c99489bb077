/** Changes of expressions of custom rules: one function a kind, each with the changed nodes of one node. */

import { toInt } from "../../../expression/custom/literals.ts";
import type {
  CustomExpression,
  CustomLiteral,
  CustomValue,
  SetItem,
} from "../../../expression/custom/tree.ts";
import { isValue } from "../../../expression/custom/tree-queries.ts";
import { networkOf, parseAddressRange, printAddress } from "../../../expression/custom/values/address.ts";
import type { CustomOperatorName } from "../../../expression/language/custom-operators.ts";
import type { Int } from "../../../expression/language/custom-types.ts";

/** The names of a zone, in bytes, that take each other's place. */
export interface TreeContext {
  readonly claimNames: readonly string[];
  readonly configIds: readonly string[];
}

/** The changes of a node; those of the nodes below it are found one by one. */
export type TreeChanges = (node: CustomExpression, context: TreeContext) => readonly CustomExpression[];

/** The operators in whose place each is tried. */
const otherOperators: Readonly<Partial<Record<CustomOperatorName, readonly CustomOperatorName[]>>> = {
  eq: ["ne"],
  ne: ["eq"],
  lt: ["le", "ge"],
  le: ["lt", "gt"],
  gt: ["ge", "le"],
  ge: ["gt", "lt"],
  wildcard: ["strict wildcard"],
  "strict wildcard": ["wildcard"],
};

const otherCombinators = { and: "or", or: "and", xor: "or" } as const;
const otherQuantifiers = { any: "all", all: "any" } as const;
const otherAffixes: Readonly<Record<string, "starts_with" | "ends_with">> = {
  starts_with: "ends_with",
  ends_with: "starts_with",
};

/** Other operators, and a negation removed or added. */
export const treeOperators: TreeChanges = (node) => {
  switch (node.kind) {
    case "combination":
      return [{ ...node, operator: otherCombinators[node.operator] }, negated(node)];
    case "not":
      return [node.operand];
    case "quantified":
      return [{ ...node, quantifier: otherQuantifiers[node.quantifier] }, negated(node)];
    case "comparison":
      return [
        ...(otherOperators[node.operator] ?? []).map((operator) => ({ ...node, operator })),
        negated(node),
      ];
    case "test": {
      const { value } = node;
      const other = value.kind === "call" ? otherAffixes[value.name] : undefined;
      const changed =
        other === undefined ? [] : [{ ...node, value: { ...value, name: other } as CustomValue }];
      return [...changed, negated(node)];
    }
    case "constant":
      return [{ ...node, value: !node.value }];
  }
};

function negated(operand: CustomExpression): CustomExpression {
  return { kind: "not", operand, isArray: operand.isArray, span: operand.span };
}

/** Each operand removed. */
export const treeOperands: TreeChanges = (node) => {
  if (node.kind !== "combination") return [];
  const { operands } = node;
  const [first, second] = operands;
  if (operands.length === 2 && first !== undefined && second !== undefined) return [second, first];
  return operands.map((_, i) => ({ ...node, operands: operands.toSpliced(i, 1) }));
};

/** Each integer one up and one down. */
export const treeIntegers: TreeChanges = (node) => {
  if (node.kind !== "comparison") return [];
  const { right } = node;
  if (right.kind === "literal" && right.type === "Int")
    return near(right.value as Int).map((value) => ({ ...node, right: { ...right, value } }));
  return withItems(node, (item) =>
    item.type !== "Int"
      ? []
      : [
          ...near(item.first).map((first) => ({ ...item, first })),
          ...near(item.last).map((last) => ({ ...item, last })),
        ].filter(({ first, last }) => first <= last),
  );
};

function near(value: Int): Int[] {
  return [toInt(BigInt(value) - 1n), toInt(BigInt(value) + 1n)].filter((one) => one !== undefined);
}

/** Each prefix one bit longer and one shorter. */
export const treePrefixes: TreeChanges = (node) =>
  withItems(node, (item) => {
    if (item.type !== "IP" || item.prefix === undefined) return [];
    const { first, prefix } = item;
    return [prefix - 1, prefix + 1].flatMap((length) => {
      if (length < 0) return [];
      const range = parseAddressRange(`${printAddress(networkOf(first, length))}/${length}`);
      return typeof range === "string" ? [] : [{ ...item, ...range }];
    });
  });

/** Each element of a set removed. */
export const treeItems: TreeChanges = (node) => {
  if (node.kind !== "comparison" || node.right.kind !== "set") return [];
  const { right } = node;
  return right.items.length < 2
    ? []
    : right.items.map((_, i) => ({ ...node, right: { ...right, items: right.items.toSpliced(i, 1) } }));
};

function withItems(
  node: CustomExpression,
  change: (item: SetItem) => readonly SetItem[],
): readonly CustomExpression[] {
  if (node.kind !== "comparison" || node.right.kind !== "set") return [];
  const { right } = node;
  return right.items.flatMap((item, i) =>
    change(item).map((changed) => ({ ...node, right: { ...right, items: right.items.with(i, changed) } })),
  );
}

/** Each string one character shorter and one longer. */
export const treeStrings: TreeChanges = (node) => {
  if (node.kind === "test" && node.value.kind === "call" && node.value.name in otherAffixes) {
    const { value } = node;
    const [subject, operand] = value.args;
    if (subject === undefined || operand?.kind !== "literal") return [];
    return otherStrings(operand).map((changed) => ({
      ...node,
      value: { ...value, args: [subject, changed] },
    }));
  }
  if (node.kind !== "comparison") return [];
  const { right } = node;
  if (right.kind === "literal" && right.type === "String")
    return otherStrings(right).map((changed) => ({ ...node, right: changed }));
  return withItems(node, (item) =>
    item.type === "String" ? nearStrings(item.value).map((value) => ({ ...item, value })) : [],
  );
};

function otherStrings(literal: CustomLiteral): CustomLiteral[] {
  return nearStrings(String(literal.value)).map((value) => ({ ...literal, value }));
}

function nearStrings(value: string): string[] {
  return [...(value === "" ? [] : [value.slice(0, -1)]), `${value}x`];
}

/** Each name of a claim another one of the zone; the only one longer. */
export const treeClaims: TreeChanges = (node, { claimNames }) =>
  withValues(node, (value) => {
    if (value.kind !== "call" || !value.name.startsWith("lookup_json")) return [];
    return value.args.flatMap((key, i) => {
      if (i === 0 || key.kind !== "literal" || typeof key.value !== "string") return [];
      const others = claimNames.filter((name) => name !== key.value);
      const names = others.length === 0 ? [`${key.value}x`] : others;
      return names.map((name) => ({ ...value, args: value.args.with(i, { ...key, value: name }) }));
    });
  });

const claimsPrefix = "http.request.jwt.claims";

/** Each other configuration. */
export const treeConfigs: TreeChanges = (node, { configIds }) =>
  withValues(node, (value) => {
    if (value.kind !== "index" || value.of.kind !== "field" || !value.of.name.startsWith(claimsPrefix))
      return [];
    return configIds.filter((id) => id !== value.key).map((key) => ({ ...value, key }));
  });

/** The node with each change of each of its values. */
function withValues(
  node: CustomExpression,
  change: (value: CustomValue) => readonly CustomValue[],
): readonly CustomExpression[] {
  if (node.kind === "test") return changedValues(node.value, change).map((value) => ({ ...node, value }));
  if (node.kind !== "comparison") return [];
  const { left, right } = node;
  return [
    ...changedValues(left, change).map((changed) => ({ ...node, left: changed })),
    ...(isValue(right) ? changedValues(right, change).map((changed) => ({ ...node, right: changed })) : []),
  ];
}

function changedValues(
  value: CustomValue,
  change: (value: CustomValue) => readonly CustomValue[],
): readonly CustomValue[] {
  const own = change(value);
  if (value.kind === "field") return own;
  if (value.kind !== "call")
    return [...own, ...changedValues(value.of, change).map((of) => ({ ...value, of }))];
  const inner = value.args.flatMap((arg, i) =>
    arg.kind === "literal"
      ? []
      : changedValues(arg, change).map((changed) => ({ ...value, args: value.args.with(i, changed) })),
  );
  return [...own, ...inner];
}

/** The changes of a node and of each node below it, each as the whole expression and the part that is changed. */
export function changedTrees(
  node: CustomExpression,
  changes: TreeChanges,
  context: TreeContext,
): {
  readonly tree: CustomExpression;
  readonly before: CustomExpression;
  readonly after: CustomExpression;
}[] {
  const own = changes(node, context).map((after) => ({ tree: after, before: node, after }));
  if (node.kind === "not" || node.kind === "quantified") {
    const inner = changedTrees(node.operand, changes, context);
    return [...own, ...inner.map((one) => ({ ...one, tree: { ...node, operand: one.tree } }))];
  }
  if (node.kind !== "combination") return own;
  const inner = node.operands.flatMap((operand, i) =>
    changedTrees(operand, changes, context).map((one) => ({
      ...one,
      tree: { ...node, operands: node.operands.with(i, one.tree) },
    })),
  );
  return [...own, ...inner];
}

/** A comparison of a claim with names, for the context. */
export function claimNamesOf(tree: CustomExpression): string[] {
  const names: string[] = [];
  const collect = (value: CustomValue): readonly CustomValue[] => {
    if (value.kind === "call" && value.name.startsWith("lookup_json"))
      for (const key of value.args.slice(1))
        if (key.kind === "literal" && typeof key.value === "string") names.push(key.value);
    return [];
  };
  changedTrees(tree, (node) => withValues(node, collect), { claimNames: [], configIds: [] });
  return names;
}
