/** Prints a verdict for people: the decision and its reasons. */

import { counted } from "../../../errors.ts";
import type { Operation } from "../model.ts";
import type { CustomLeafTrace, CustomRuleResult, CustomVerdict } from "../rulesets/custom-verdict.ts";
import { stepResults } from "../rulesets/run.ts";
import { neededFields } from "./custom-reason.ts";
import type { DecidingPart, ExpressionTrace, TokenTrace } from "./trace.ts";
import type { LeafReason, LeafTrace, TraceNode } from "./trace-tree.ts";
import type { DecidingRule, PlainVerdict, RuleResult } from "./verdict.ts";

/** Maximum number of rules that are printed. */
const maxRules = 20;

/** Maximum number of lines with parts of expressions. */
const maxParts = 60;

/** Maximum length of a printed string of a request or a title, in code units. */
const maxText = 120;

/** Width of the names at the start of the first lines. */
const labelWidth = 11;

/** Characters that could control a terminal or disguise other characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const outcomes = {
  not_an_operation: "the request matches no operation, so no rule is evaluated",
  no_rule: "no enabled rule matches the operation",
  passed: "every rule that was evaluated passed",
} as const;

/** Prints a verdict on the request with this method and address. */
export function explainVerdict(verdict: PlainVerdict, method: string, url: string): string {
  const titles = new Map(verdict.trace.tokens.map(({ configId, title }) => [configId, title]));
  return [
    `${verdict.action.toUpperCase()}  ${clean(method)} ${clean(url)}`,
    label("operation", verdict.operation ? describeOperation(verdict.operation) : "none"),
    ...(verdict.rule ? [label("rule", describeRule(verdict.rule))] : []),
    ...because(verdict, titles),
    ...(verdict.custom ? customLines(verdict, verdict.custom) : []),
    ...ruleLines(verdict, titles),
    ...tokenLines(verdict.trace.tokens),
  ].join("\n");
}

/** The titles of configurations by id. */
type Titles = ReadonlyMap<string, string | undefined>;

function because(verdict: PlainVerdict, titles: Titles): string[] {
  const deciding = verdict.trace.expressions.find((trace) => trace.ruleId === verdict.rule?.id);
  if (deciding)
    return deciding.decidedBy.map((part, i) => label(i === 0 ? "because" : "", describePart(part, titles)));
  return verdict.outcome in outcomes
    ? [label("because", outcomes[verdict.outcome as keyof typeof outcomes])]
    : [];
}

/** The decision of the custom rules, those that are not false, and their parts. */
function customLines(verdict: PlainVerdict, custom: CustomVerdict): string[] {
  const { rule, rules, expressions, response, kind, skipped } = custom;
  const needed = neededFields(verdict);
  const status = response === undefined ? [] : [`status ${response.status_code}`];
  const how = [...(kind === undefined ? [] : [kind]), ...status].join(", ");
  const name = rule && `${clean(rule.rule)}${titled(rule.description)}`;
  const skips = [...skipped.phases, ...skipped.products].join(", ");
  const shown = expressions.slice(0, maxRules);
  const counts = countResults(rules);
  return [
    label("custom", [custom.action, name, how].filter(Boolean).join("  ")),
    ...(needed === undefined ? [] : [label("needs", needed)]),
    ...(skips === "" ? [] : [label("skipped", skips)]),
    "",
    `custom rules  (${counts})`,
    ...shown.flatMap((trace) => [
      `  ${clean(trace.ruleset)} ${clean(trace.rule)}  ${trace.value ?? "unknown"}`,
      ...trace.leaves.slice(0, maxParts).map((leaf) => `    ${customLeaf(leaf)}`),
    ]),
    ...(expressions.length > maxRules ? [`  ... and ${expressions.length - maxRules} more`] : []),
  ];
}

function customLeaf({ text, value, found }: CustomLeafTrace): string {
  return `${clean(text)} is ${value ?? "unknown"}${found === undefined ? "" : `: ${clean(found)}`}`;
}

/** The number of rules with each result. */
function countResults(rules: readonly CustomRuleResult[]): string {
  const results = stepResults.map((result) => [result, rules.filter((one) => one.result === result).length]);
  const counts = results.filter(([, count]) => count !== 0).map(([result, count]) => `${count} ${result}`);
  return counts.join(", ") || "none";
}

/** A row for each rule, and below it the tree of its expression. */
function ruleLines({ rules, trace }: PlainVerdict, titles: Titles): string[] {
  if (rules.length === 0) return [];
  const expressions = new Map(trace.expressions.map((expression) => [expression.ruleId, expression]));
  const shown = rules.slice(0, maxRules);
  const rows = shown.map((rule, i) => {
    const cells = ruleCells(rule, expressions.get(rule.id), titles);
    return [`${i + 1}.`, rule.result, rule.action, ...cells];
  });
  let parts = 0;
  const lines = table(rows).flatMap((row, i) => {
    const tree = expressions.get(shown[i]?.id ?? "")?.tree;
    const below = tree && "operator" in tree ? treeLines(tree, titles, 4) : [];
    const free = Math.max(0, maxParts - parts);
    parts += below.length;
    const more = below.length > free ? [`        ... and ${counted(below.length - free, "more line")}`] : [];
    return [row, ...below.slice(0, free), ...more];
  });
  const more = rules.length > maxRules ? [`  ... and ${rules.length - maxRules} more`] : [];
  return ["", "rules", ...lines, ...more];
}

/** The value of an expression that is more than one leaf is explained by its tree. */
function ruleCells(rule: RuleResult, expression: ExpressionTrace | undefined, titles: Titles): string[] {
  if (!expression) return [nameRule(rule), ""];
  const { tree, decidedBy, value } = expression;
  if ("operator" in tree) return [nameRule(rule), `the expression is ${value}`];
  return [nameRule(rule), decidedBy.map((part) => describePart(part, titles)).join("; ")];
}

/** A line for each part of an expression; the operands of an operator are indented. */
function treeLines(node: TraceNode, titles: Titles, depth: number): string[] {
  const indent = "  ".repeat(depth);
  if (!("operator" in node)) return [`${indent}${describeLeaf(node, titles)}`];
  const [operand] = node.operands;
  if (node.operator === "not" && operand && !("operator" in operand)) {
    const { text, ...rest } = operand;
    const value = node.value === undefined ? {} : { value: node.value };
    return [`${indent}${describeLeaf({ ...rest, text: `not ${text}`, ...value }, titles)}`];
  }
  const below = node.operands.flatMap((each) => treeLines(each, titles, depth + 1));
  return [`${indent}${node.operator} is ${node.value ?? "not evaluated"}`, ...below];
}

/** The reasons that are not the outcome of a token check. */
const leafReasons: Partial<Record<LeafReason, string>> = { missing_value: "no value to compare" };

function describeLeaf({ text, value, reason, config }: LeafTrace, titles: Titles): string {
  if (value === undefined) return `${clean(text)} is not evaluated`;
  const known = reason && (leafReasons[reason] ?? reason);
  return describeValue(text, value, known, config, titles);
}

function tokenLines(tokens: readonly TokenTrace[]): string[] {
  if (tokens.length === 0) return [];
  return ["", "tokens", ...table(tokens.map(tokenCells))];
}

function tokenCells(token: TokenTrace): string[] {
  const header = [token.kid && `kid ${clean(token.kid)}`, token.alg && `alg ${clean(token.alg)}`];
  return [
    `${clean(token.configId)}${titled(token.title)}`,
    token.reason ?? (token.present ? "present" : "missing"),
    token.source === undefined ? "in no source" : clean(token.source),
    header.filter(Boolean).join(", "),
    clean(token.detail ?? token.note ?? ""),
  ];
}

function describePart({ text, value, reason, config }: DecidingPart, titles: Titles): string {
  return describeValue(text, value, reason, config, titles);
}

function describeValue(
  text: string,
  value: boolean,
  reason: string | undefined,
  config: string | undefined,
  titles: Titles,
): string {
  const title = titled(config === undefined ? undefined : titles.get(config));
  return `${clean(text)}${title} is ${value}${reason === undefined || reason === "valid" ? "" : `: ${reason}`}`;
}

/** A title beside an id. */
function titled(title: string | undefined): string {
  return title === undefined || title === "" ? "" : ` "${clean(title)}"`;
}

function describeOperation({ operation_id, method, host, endpoint }: Operation): string {
  const target = `${method} ${host}${endpoint}`;
  // Without a list of operations, each request is its own operation.
  if (operation_id === target) return `${clean(target)}  (no operations given)`;
  return `${clean(operation_id)}  ${clean(target)}`;
}

function describeRule(rule: DecidingRule): string {
  return `${nameRule(rule)}  ${rule.action}`;
}

function nameRule({ id, title }: DecidingRule): string {
  return `${clean(id)}${titled(title)}`;
}

function label(name: string, text: string): string {
  return `${name.padEnd(labelWidth)}${text}`;
}

/** Lines of cells in columns. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd());
}

/** One line of limited length without characters that a terminal interprets. */
function clean(text: string): string {
  const line = text.replace(unprintable, escapeCharacter);
  return line.length > maxText ? `${line.slice(0, maxText)}...` : line;
}

function escapeCharacter(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}
