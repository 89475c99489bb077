/** A verdict as the page shows it: rules with their own text, parts with values, tokens decoded. */
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { printExpression } from "../../engine/tokens/expression/printer.ts";
import { leaves } from "../../engine/tokens/expression/references.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import { decidingCustomRule, neededFields } from "../../engine/tokens/verdict/custom-reason.ts";
import type { ExpressionTrace } from "../../engine/tokens/verdict/trace.ts";
import { traceLeaves } from "../../engine/tokens/verdict/trace-tree.ts";
import type { PlainVerdict, RuleResult, Verdict } from "../../engine/tokens/verdict/verdict.ts";
import type {
  ConfigView,
  LeafView,
  RulesetView,
  RuleVerdict,
  RuleView,
  TokenView,
  VerdictView,
} from "../messages.ts";
import { viewOfCustom } from "./custom-view.ts";
import { type DecodedToken, decodeToken } from "./decode-token.ts";

/** The titles and expressions that a verdict refers to by id. */
export interface VerdictNames {
  readonly rules: readonly Pick<RuleView, "id" | "expression">[];
  readonly configs: readonly ConfigView[];
  readonly rulesets: readonly Pick<RulesetView, "id" | "rules">[];
}

const outcomes = {
  not_an_operation: "The request matches no operation, so no rule is evaluated.",
  no_rule: "No enabled rule matches the operation.",
  passed: "Every rule that was evaluated passed.",
} as const;

/** The view of a verdict on a request. */
export function viewOfVerdict(verdict: Verdict, request: SimulatedRequest, names: VerdictNames): VerdictView {
  const decode = ({ sources }: ConfigView) => decodeToken(request, sources);
  return { ...viewOfPlainVerdict(verdict.toJSON(), names, decode), explanation: verdict.explain() };
}

/** The view of a verdict that may be recorded; `decode` returns the token of a configuration, as far as it is known. */
export function viewOfPlainVerdict(
  verdict: PlainVerdict,
  names: VerdictNames,
  decode: (config: ConfigView) => DecodedToken,
): VerdictView {
  const { action, operation, rule, rules, trace } = verdict;
  const expressions = new Map(trace.expressions.map((one) => [one.ruleId, one]));
  const expressionOf = (id: string) => names.rules.find((one) => one.id === id)?.expression ?? "";
  return {
    action,
    because: becauseOf(verdict, names),
    ...(operation && { operationId: operation.operation_id }),
    ...(operation && { operation: `${operation.method} ${operation.host}${operation.endpoint}` }),
    rules: rules.map((one) => viewOfRule(one, expressionOf(one.id), expressions.get(one.id))),
    tokens: tokenViews(verdict, names, decode),
    ...(rule && { decidedBy: rule.id }),
    ...(verdict.custom && { custom: viewOfCustom(verdict.custom, names.rulesets) }),
    explanation: "",
  };
}

function becauseOf(verdict: PlainVerdict, { configs }: VerdictNames): string {
  const { outcome, rule, trace } = verdict;
  if (outcome === "undecided") return neededFields(verdict) ?? "";
  if (outcome === "custom_rule")
    return `The custom rule "${decidingCustomRule(verdict) ?? ""}" decides: ${verdict.action}.`;
  if (outcome !== "fired" || rule === undefined) return outcomes[outcome === "fired" ? "passed" : outcome];
  const parts = trace.expressions.find(({ ruleId }) => ruleId === rule.id)?.decidedBy ?? [];
  const reasons = parts.map(({ text, value, config, reason }) => {
    if (config === undefined || reason === undefined) return `${text} is ${value}`;
    const title = configs.find(({ id }) => id === config)?.title || config;
    const detail = trace.tokens.find(({ configId }) => configId === config)?.detail;
    return detail === undefined
      ? `the token "${title}" is ${reason}`
      : `token "${title}": ${detail.replace(/\.$/, "")}`;
  });
  const verb = rule.action === "block" ? "blocks" : "logs";
  return `The rule "${rule.title || rule.id}" ${verb} it: ${reasons.join("; ")}.`;
}

function viewOfRule(
  { id, title = "", action, result }: RuleResult,
  expression: string,
  trace: ExpressionTrace | undefined,
): RuleVerdict {
  const value = trace === undefined ? {} : { value: trace.value };
  return { id, title, action, result, expression, ...value, leaves: leafViews(expression, trace) };
}

/**
 * Each part of the expression's own text; a null value where the evaluation did not ask. None when the expression is not
 * the one that was evaluated.
 */
function leafViews(expression: string, trace: ExpressionTrace | undefined): readonly LeafView[] {
  const parsed = parseExpression(expression);
  if (!parsed.ok) return [];
  const found = leaves(parsed.value);
  const traced = trace && traceLeaves(trace.tree);
  const isSame = found.every((leaf, i) => !traced || printExpression(leaf) === traced[i]?.text);
  if (!isSame || (traced && traced.length !== found.length)) return [];
  return found.map(({ span: { start, end } }, i) => {
    const { value = null, reason } = traced?.[i] ?? {};
    const why = reason === undefined ? {} : { reason: reasonWords[reason] ?? reason };
    return { start, end, text: expression.slice(start, end), value, ...why };
  });
}

/** Reasons that are not outcomes of token checks, in words. */
const reasonWords: Readonly<Record<string, string>> = {
  missing_value: "the request has no such value",
  short_circuit: "not evaluated: already decided",
};

/** The tokens that were asked for, then those that are in the request without a rule that asks. */
function tokenViews(
  { trace }: PlainVerdict,
  { configs }: VerdictNames,
  decode: (config: ConfigView) => DecodedToken,
): readonly TokenView[] {
  const asked = trace.tokens.map((token): TokenView => {
    const config = configs.find(({ id }) => id === token.configId);
    return { ...token, title: config?.title ?? token.title ?? "", ...(config && decode(config)) };
  });
  const others = configs.flatMap((config): TokenView[] => {
    const found = trace.tokens.some(({ configId }) => configId === config.id) ? {} : decode(config);
    if (!("claims" in found || "header" in found)) return [];
    return [{ configId: config.id, title: config.title, present: true, ...found }];
  });
  return [...asked, ...others];
}
