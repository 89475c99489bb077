/** Prints a verdict for people: the decision and its reasons. */

import type { Operation } from "../model.ts";
import type { DecidingPart, ExpressionTrace, TokenTrace } from "./trace.ts";
import type { DecidingRule, PlainVerdict, RuleResult } from "./verdict.ts";

/** Maximum number of rules that are printed. */
const maxRules = 20;

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
  return [
    `${verdict.action.toUpperCase()}  ${clean(method)} ${clean(url)}`,
    label("operation", verdict.operation ? describeOperation(verdict.operation) : "none"),
    ...(verdict.rule ? [label("rule", describeRule(verdict.rule))] : []),
    ...because(verdict),
    ...ruleLines(verdict),
    ...tokenLines(verdict.trace.tokens),
  ].join("\n");
}

function because(verdict: PlainVerdict): string[] {
  const deciding = verdict.trace.expressions.find((trace) => trace.ruleId === verdict.rule?.id);
  if (deciding)
    return deciding.decidedBy.map((part, i) => label(i === 0 ? "because" : "", describePart(part)));
  return verdict.outcome === "fired" ? [] : [label("because", outcomes[verdict.outcome])];
}

function ruleLines({ rules, trace }: PlainVerdict): string[] {
  if (rules.length === 0) return [];
  const expressions = new Map(trace.expressions.map((expression) => [expression.ruleId, expression]));
  const rows = rules
    .slice(0, maxRules)
    .map((rule, i) => [`${i + 1}.`, rule.result, rule.action, ...ruleCells(rule, expressions.get(rule.id))]);
  const more = rules.length > maxRules ? [`  ... and ${rules.length - maxRules} more`] : [];
  return ["", "rules", ...table(rows), ...more];
}

function ruleCells(rule: RuleResult, expression: ExpressionTrace | undefined): string[] {
  return [nameRule(rule), expression ? expression.decidedBy.map(describePart).join("; ") : ""];
}

function tokenLines(tokens: readonly TokenTrace[]): string[] {
  if (tokens.length === 0) return [];
  return ["", "tokens", ...table(tokens.map(tokenCells))];
}

function tokenCells(token: TokenTrace): string[] {
  const header = [token.kid && `kid ${clean(token.kid)}`, token.alg && `alg ${clean(token.alg)}`];
  return [
    clean(token.configId),
    token.reason ?? (token.present ? "present" : "missing"),
    token.source === undefined ? "in no source" : clean(token.source),
    header.filter(Boolean).join(", "),
    clean(token.detail ?? ""),
  ];
}

function describePart({ text, value, reason }: DecidingPart): string {
  return `${clean(text)} is ${value}${reason === undefined || reason === "valid" ? "" : `: ${reason}`}`;
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
  return title === undefined || title === "" ? clean(id) : `${clean(id)} "${clean(title)}"`;
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
