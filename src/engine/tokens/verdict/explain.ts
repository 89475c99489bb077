/** Prints a verdict for people: the decision and its reasons, of rules of both kinds. */

import { maskAddress } from "../../../core/text/secrets.ts";
import { counted } from "../../../errors.ts";
import type { Operation } from "../model.ts";
import { isTelling } from "../name-with-title.ts";
import type { CustomTrace, CustomVerdict } from "../rulesets/ruleset-verdict.ts";
import { stepResults } from "../rulesets/run.ts";
import { decidingExpression, neededFields } from "./decider.ts";
import { clean, describeLeaf, describeValue } from "./describe-leaf.ts";
import type { TokenTrace } from "./trace.ts";
import type { LeafTrace, TracedExpression, TraceNode } from "./trace-tree.ts";
import type { DecidingRule, PlainVerdict } from "./verdict.ts";

/** Maximum number of rules of each kind that are printed. */
const maxRules = 20;

/** Maximum number of lines with parts of the expressions of each kind of rules, and of parts that decided. */
const maxParts = 60;

/** Width of the names at the start of the first lines. */
const labelWidth = 11;

const outcomes = {
  not_an_operation: "the request matches no operation, so no rule is evaluated",
  no_rule: "no enabled rule matches the operation",
  passed: "every rule that was evaluated passed",
  custom_rule: "every custom rule that may decide has this action",
} as const;

/**
 * Prints a verdict on the request with this method and address. `customTraces` returns the expressions of custom rules, also
 * those that are false.
 */
export function explainVerdict(
  verdict: PlainVerdict,
  method: string,
  url: string,
  customTraces: () => readonly CustomTrace[],
): string {
  const { action, operation, rule, custom, rules, trace } = verdict;
  const titles = new Map(trace.tokens.map(({ configId, title }) => [configId, title]));
  const expressions = new Map(trace.expressions.map((expression) => [expression.ruleId, expression]));
  const tokenRules = rules.map((ruleResult, i) => {
    return {
      ...ruleResult,
      position: i + 1,
      name: nameRule(ruleResult),
      expression: expressions.get(ruleResult.id),
    };
  });
  return [
    `${action.toUpperCase()}  ${clean(method)} ${clean(maskAddress(url))}`,
    label("operation", operation ? describeOperation(operation) : "none"),
    ...(rule ? [label("rule", `${nameRule(rule)}  ${rule.action}`)] : []),
    ...(custom ? [label("custom", describeCustom(custom))] : []),
    ...because(verdict, titles),
    ...consequences(verdict),
    ...(custom ? customLines(custom, titles, customTraces) : []),
    ...(rules.length > 0 ? ["", "rules", ...ruleLines(tokenRules, titles)] : []),
    ...(trace.tokens.length > 0 ? ["", "tokens", ...table(trace.tokens.map(tokenCells))] : []),
  ].join("\n");
}

/** The titles of configurations by id. */
type Titles = ReadonlyMap<string, string | undefined>;

function because(verdict: PlainVerdict, titles: Titles): string[] {
  const parts = decidingExpression(verdict)?.decidedBy.map((part) => describe(part, titles));
  const known = outcomes[verdict.outcome as keyof typeof outcomes];
  const lines = parts ?? (known === undefined ? [] : [known]);
  return limited(lines, maxParts).map((line, i) => label(i === 0 ? "because" : "", line));
}

/** The action of the custom rules, the rule and its response. */
function describeCustom({ action, rule, kind, response }: CustomVerdict): string {
  const status = response && `status ${response.status_code}`;
  const how = [kind, status].filter((part) => part !== undefined).join(", ");
  const name = rule && named(rule.rule, rule.description);
  return [action, name, how].filter(Boolean).join("  ");
}

/** The values that an undecided verdict needs, and the later phases that custom rules leave out. */
function consequences(verdict: PlainVerdict): string[] {
  const { phases = [], products = [] } = verdict.custom?.skipped ?? {};
  const needed = neededFields(verdict);
  const skipped = [...phases, ...products].join(", ");
  return [
    ...(needed === undefined ? [] : [label("needs", needed)]),
    ...(skipped === "" ? [] : [label("skipped", skipped)]),
  ];
}

/** The number of custom rules with each result, and those that are not false; the false ones as well when they are few. */
function customLines(
  { rules, expressions }: CustomVerdict,
  titles: Titles,
  customTraces: () => readonly CustomTrace[],
): string[] {
  const results = stepResults.map((result) => [
    result,
    rules.filter((rule) => rule.result === result).length,
  ]);
  const counts = results.flatMap(([result, count]) => (count === 0 ? [] : `${count} ${result}`)).join(", ");
  const keyOf = (rule: { ruleset: string; rule: string }) => JSON.stringify([rule.ruleset, rule.rule]);
  const isMany = rules.length > maxRules;
  const traced = isMany ? expressions : customTraces();
  const traces = new Map(traced.map((trace) => [keyOf(trace), trace]));
  const evaluated = rules.flatMap((rule, i) => {
    const { description, action, result } = rule;
    if (isMany && result === "not_matched") return [];
    const expression = traces.get(keyOf(rule));
    const name = named(`${rule.ruleset} ${rule.rule}`, description);
    return expression === undefined ? [] : { position: i + 1, result, action, name, expression };
  });
  return ["", `custom rules  (${counts || "none"})`, ...ruleLines(evaluated, titles)];
}

/** A rule of either kind. */
interface ExplainedRule {
  /** From 1, in the order of evaluation. */
  readonly position: number;
  readonly result: string;
  readonly action: string;
  readonly name: string;
  /** Undefined when it was not evaluated. */
  readonly expression: TracedExpression | undefined;
}

/** A row for each rule, and below it the tree of an expression that is more than one leaf. */
function ruleLines(rules: readonly ExplainedRule[], titles: Titles): string[] {
  const shown = rules.slice(0, maxRules);
  const rows = shown.map(({ position, result, action, name, expression }) => {
    return [`${position}.`, result, action, name, describeExpression(expression, titles)];
  });
  let free = maxParts;
  const lines = table(rows).flatMap((row, i) => {
    const tree = shown[i]?.expression?.tree;
    const below = tree && "operator" in tree ? treeLines(tree, titles, 4) : [];
    const printed = limited(below, free).map((line, at) => (at === free ? `        ${line}` : line));
    free = Math.max(0, free - below.length);
    return [row, ...printed];
  });
  const more = rules.length - shown.length;
  return [...lines, ...(more > 0 ? [`  ... and ${more} more`] : [])];
}

function describeExpression(expression: TracedExpression | undefined, titles: Titles): string {
  if (expression === undefined) return "";
  const { tree } = expression;
  return "operator" in tree ? `the expression is ${describeValue(tree)}` : describe(tree, titles);
}

/** A line for each part of an expression; the operands of an operator are indented. */
function treeLines(node: TraceNode, titles: Titles, depth: number): string[] {
  const indent = "  ".repeat(depth);
  if (!("operator" in node)) return [`${indent}${describe(node, titles)}`];
  const [operand] = node.operands;
  if (node.operator === "not" && operand && !("operator" in operand)) {
    const { text, value, ...rest } = operand;
    const opposite = value === undefined ? {} : { value: !value };
    return [`${indent}${describe({ ...rest, text: `not ${text}`, ...opposite }, titles)}`];
  }
  const below = node.operands.flatMap((each) => treeLines(each, titles, depth + 1));
  return [`${indent}${node.operator} is ${describeValue(node)}`, ...below];
}

function describe(leaf: LeafTrace, titles: Titles): string {
  const title = leaf.config === undefined ? undefined : titles.get(leaf.config);
  return describeLeaf(leaf, title ? ` "${clean(title)}"` : "");
}

/** At most `max` lines, and one with the number of the others. */
function limited(lines: readonly string[], max: number): string[] {
  if (lines.length <= max) return [...lines];
  return [...lines.slice(0, max), `... and ${counted(lines.length - max, "more line")}`];
}

function tokenCells(token: TokenTrace): string[] {
  const header = [token.kid && `kid ${clean(token.kid)}`, token.alg && `alg ${clean(token.alg)}`];
  return [
    named(token.configId, token.title),
    token.reason ?? (token.present ? "present" : "missing"),
    token.source === undefined ? "in no source" : clean(token.source),
    header.filter(Boolean).join(", "),
    clean(token.detail ?? token.note ?? ""),
  ];
}

/** The title with the id behind it; the id alone where there is no title. */
function named(id: string, title: string | undefined): string {
  return isTelling(title) ? `"${clean(title)}" (${clean(id)})` : clean(id);
}

function describeOperation({ operation_id, method, host, endpoint }: Operation): string {
  const target = `${method} ${host}${endpoint}`;
  // Without a list of operations, each request is its own operation.
  if (operation_id === target) return `${clean(target)}  (no operations given)`;
  return `${clean(operation_id)}  ${clean(target)}`;
}

function nameRule({ id, title }: DecidingRule): string {
  return named(id, title);
}

function label(name: string, text: string): string {
  return `${name.padEnd(labelWidth)}${text}`;
}

/** Lines of cells in columns. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd());
}
