/** A verdict as the page shows it: rules with their own text, parts with values, tokens decoded. */

import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import { titleOrId } from "../../engine/tokens/name-with-title.ts";
import { decidingCustomRule, decidingExpression, neededFields } from "../../engine/tokens/verdict/decider.ts";
import { describeLeaf } from "../../engine/tokens/verdict/describe-leaf.ts";
import { customTraces } from "../../engine/tokens/verdict/lazy-verdict.ts";
import type { ExpressionTrace } from "../../engine/tokens/verdict/trace.ts";
import { unevaluatedOutcome } from "../../engine/tokens/verdict/unevaluated.ts";
import type { PlainVerdict, RuleResult, Verdict } from "../../engine/tokens/verdict/verdict.ts";
import type { ConfigView, RulesetView, RuleVerdict, RuleView, TokenView, VerdictView } from "../messages.ts";
import { viewOfCustom } from "./custom-view.ts";
import { type DecodedToken, decodeToken } from "./decode-token.ts";
import { viewOfExpression } from "./expression-view.ts";

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

const verbs = {
  allow: "allows",
  log: "logs",
  block: "blocks",
  challenge: "challenges",
  undecided: "leaves open",
} as const;

/** The view of a verdict on a request. */
export function viewOfVerdict(verdict: Verdict, request: SimulatedRequest, names: VerdictNames): VerdictView {
  const decode = ({ sources }: ConfigView) => decodeToken(request, sources);
  return { ...viewOfPlainVerdict(verdict, names, decode), explanation: verdict.explain() };
}

/** The view of a verdict that may be recorded; `decode` returns the token of a configuration, as far as it is known. */
export function viewOfPlainVerdict(
  verdict: PlainVerdict,
  names: VerdictNames,
  decode: (config: ConfigView) => DecodedToken,
): VerdictView {
  const { action, operation, rule, rules, trace } = verdict;
  const expressions = new Map(trace.expressions.map((expression) => [expression.ruleId, expression]));
  const expressionOf = (id: string) => names.rules.find((candidate) => candidate.id === id)?.expression ?? "";
  return {
    action,
    ...missingOf(verdict),
    because: becauseOf(verdict, names),
    ...(operation && { operationId: operation.operation_id }),
    ...(operation && { operation: `${operation.method} ${operation.host}${operation.endpoint}` }),
    rules: rules.map((result) => viewOfRule(result, expressionOf(result.id), expressions.get(result.id))),
    tokens: tokenViews(verdict, names, decode),
    ...(rule && { decidedBy: rule.id }),
    ...(verdict.custom && { custom: viewOfCustom(verdict.custom, customTraces(verdict), names.rulesets) }),
    explanation: "",
  };
}

function missingOf(verdict: PlainVerdict): Pick<VerdictView, "missing"> {
  const outcome = unevaluatedOutcome(verdict);
  if (outcome === undefined) return {};
  return { missing: outcome === "no_rule" ? "rule" : "operation" };
}

function becauseOf(verdict: PlainVerdict, { configs }: VerdictNames): string {
  const { action, outcome, rule, trace } = verdict;
  if (outcome === "undecided") return neededFields(verdict) ?? "";
  if (outcome !== "fired" && outcome !== "custom_rule") return outcomes[outcome];
  const parts = decidingExpression(verdict)?.decidedBy ?? [];
  const reasons = parts.map((part) => {
    const { config, reason } = part;
    if (config === undefined || reason === undefined) return describeLeaf(part);
    const title = titleOrId(configs.find(({ id }) => id === config) ?? { id: config });
    const detail = trace.tokens.find(({ configId }) => configId === config)?.detail;
    return detail === undefined
      ? `the token "${title}" is ${reason}`
      : `token "${title}": ${detail.replace(/\.$/, "")}`;
  });
  const name = rule === undefined ? decidingCustomRule(verdict) : titleOrId(rule);
  if (name === undefined) return `Every custom rule that may decide ${verbs[action]} it.`;
  const kind = rule === undefined ? "custom rule" : "rule";
  return `The ${kind} "${name}" ${verbs[action]} it: ${reasons.join("; ")}.`;
}

function viewOfRule(
  { id, title = "", action, result }: RuleResult,
  expression: string,
  trace: ExpressionTrace | undefined,
): RuleVerdict {
  const value = trace === undefined ? {} : { value: trace.value };
  return { id, title, action, result, expression, ...value, ...viewOfExpression("token", expression, trace) };
}

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
