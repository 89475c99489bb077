/**
 * Creates verdicts. Action and outcome are computed at once; rules, trace and claims are derived from the recorded
 * values on first access, so that a verdict that is not inspected costs little. A verdict never changes.
 */

import type { Expression } from "../expression/tree.ts";
import type { Operation } from "../model.ts";
import { createCustomVerdict, traceAll } from "../rulesets/create-ruleset-verdict.ts";
import { type CustomEvaluation, customRulesEnd } from "../rulesets/evaluate-rulesets.ts";
import type { CustomTrace, CustomVerdict } from "../rulesets/ruleset-verdict.ts";
import type { CompiledCustomRules } from "../rulesets/zone-rules.ts";
import type { CompiledRule, RuleEvaluation } from "../zone/evaluate-rules.ts";
import type { LeafTable } from "../zone/evaluation.ts";
import { explainVerdict } from "./explain.ts";
import { type Trace, traceRule, traceTokens } from "./trace.ts";
import { type TracedExpression, traceExpression } from "./trace-tree.ts";
import { describeUnevaluated, type TargetZone, unevaluatedOutcome } from "./unevaluated.ts";
import type {
  DecidingRule,
  Outcome,
  PlainVerdict,
  RuleOutcome,
  RuleResult,
  TokenAction,
  Verdict,
  VerdictAction,
  VerifiedClaims,
} from "./verdict.ts";

/** The ids of a zone. */
export interface ZoneIds {
  readonly rule: readonly string[];
  readonly config: readonly string[];
  /** Undefined when each request is its own operation. */
  readonly operation: readonly string[] | undefined;
}

/** A finished evaluation, from which a verdict is derived. */
export interface VerdictSource {
  readonly state: RuleEvaluation;
  readonly decider: CompiledRule | undefined;
  /** Undefined when the zone has no custom rules. */
  readonly custom: CustomEvaluation | undefined;
  readonly zone: {
    readonly table: LeafTable;
    readonly ids: ZoneIds;
    readonly read: TargetZone;
    readonly custom: Pick<CompiledCustomRules, "program"> | undefined;
  };
}

/** Creates the verdict of a finished evaluation. */
export function createVerdict(source: VerdictSource): Verdict {
  return new LazyVerdict(source);
}

/** Facts of an evaluation that a verdict does not show, for a record of it. */
export interface EvaluationFacts {
  /** The time that tokens were checked at, in milliseconds since 1970. */
  readonly timeMs: number;
  /** The tokens that were found, as they were sent, in the order in which expressions asked for them. */
  readonly found: readonly { readonly configId: string; readonly token: string }[];
}

/** The facts of the evaluation of a verdict. @throws {TypeError} for a verdict that no zone returned */
export function evaluationFacts(verdict: Verdict): EvaluationFacts {
  if (verdict instanceof LazyVerdict) return LazyVerdict.factsOf(verdict);
  throw new TypeError("the verdict must be one that a zone returned");
}

/** The ids of the zone of a verdict; undefined for a verdict that no zone returned. */
export function zoneIds(verdict: Verdict): ZoneIds | undefined {
  return verdict instanceof LazyVerdict ? LazyVerdict.idsOf(verdict) : undefined;
}

/** Why no rule was evaluated for the request of a verdict; undefined when one was, or when no zone returned the verdict. */
export function unevaluated(verdict: Verdict): string | undefined {
  return verdict instanceof LazyVerdict && unevaluatedOutcome(verdict) !== undefined
    ? LazyVerdict.unevaluatedOf(verdict)
    : undefined;
}

/** The expressions of custom rules, also those that are false; of a verdict that no zone returned, those that it has. */
export function customTraces(verdict: PlainVerdict): readonly CustomTrace[] {
  return verdict instanceof LazyVerdict
    ? LazyVerdict.customTracesOf(verdict)
    : (verdict.custom?.expressions ?? []);
}

/** A class, because getters on a prototype cost nothing for each request. */
class LazyVerdict implements Verdict {
  readonly action: VerdictAction;
  readonly outcome: Outcome;
  readonly #source: VerdictSource;
  #rules: readonly RuleResult[] | undefined;
  #trace: Trace | undefined;
  #claims: VerifiedClaims | undefined;
  #custom: CustomVerdict | undefined;

  static factsOf(verdict: LazyVerdict): EvaluationFacts {
    const { nowMs, results } = verdict.#source.state.evaluation;
    const found = Array.from(results.values(), ({ config, found }) => {
      return found ? [{ configId: config.id, token: found.token }] : [];
    });
    return { timeMs: nowMs, found: found.flat() };
  }

  static idsOf(verdict: LazyVerdict): ZoneIds {
    return verdict.#source.zone.ids;
  }

  static customTracesOf(verdict: LazyVerdict): readonly CustomTrace[] {
    const { custom } = verdict.#source;
    return custom === undefined ? [] : traceAll(custom, (expression) => verdict.#traceCustom(expression));
  }

  static unevaluatedOf(verdict: LazyVerdict): string {
    const { state, zone } = verdict.#source;
    return describeUnevaluated(verdict, state.evaluation.request, zone.read);
  }

  constructor(source: VerdictSource) {
    this.#source = source;
    const decider = source.state.fired.length > 0 ? source.decider : undefined;
    const action = decider === undefined ? "allow" : decider.rule.action;
    const outcome = decider === undefined ? outcomeWithoutAction(source.state) : "fired";
    const { custom } = source;
    this.action = custom === undefined ? action : strongestAction(custom, action);
    this.outcome =
      custom === undefined || this.action === action ? outcome : outcomeOfCustomRules(this.action);
  }

  get operation(): Operation | undefined {
    return this.#source.state.operation;
  }

  get rule(): DecidingRule | undefined {
    const { decider } = this.#source;
    if (this.outcome === "custom_rule" || this.outcome === "undecided") return undefined;
    return decider && Object.freeze(describeRule(decider));
  }

  get rules(): readonly RuleResult[] {
    this.#rules ??= Object.freeze(ruleResults(this.#source));
    return this.#rules;
  }

  get trace(): Trace {
    this.#trace ??= createTrace(this.#source);
    return this.#trace;
  }

  get claims(): VerifiedClaims {
    this.#claims ??= verifiedClaims(this.#source.state);
    return this.#claims;
  }

  get custom(): CustomVerdict | undefined {
    const { custom } = this.#source;
    if (custom !== undefined)
      this.#custom ??= createCustomVerdict(custom, (expression) => this.#traceCustom(expression));
    return this.#custom;
  }

  #traceCustom(expression: Expression): TracedExpression {
    const { zone, state, custom } = this.#source;
    // A rule that was found not to match may read tokens that no evaluated rule has: these are no part of the trace.
    this.#trace ??= createTrace(this.#source);
    this.#claims ??= verifiedClaims(state);
    if (custom === undefined || zone.custom === undefined)
      throw new TypeError("The zone has no custom rules.");
    const { results } = state.evaluation;
    return traceExpression(expression, { program: zone.custom.program, values: custom.values, results });
  }

  explain(): string {
    const { method, url } = this.#source.state.evaluation.request;
    return explainVerdict(this, method, url, () => LazyVerdict.customTracesOf(this));
  }

  toJSON(): PlainVerdict {
    const { action, outcome, operation, rule, rules, trace, claims, custom } = this;
    const optional = { ...(operation && { operation }), ...(rule && { rule }) };
    return { action, outcome, ...optional, rules, trace, claims, ...(custom && { custom }) };
  }
}

function outcomeWithoutAction({ operation, matching }: RuleEvaluation): Outcome {
  if (operation === undefined) return "not_an_operation";
  return matching.first === -1 ? "no_rule" : "passed";
}

/** The action of both parts: custom rules that end the evaluation decide, else the stronger one; in every fork. */
function strongestAction(custom: CustomEvaluation, ofTokens: TokenAction): VerdictAction {
  if (custom.run.isCutShort) return "undecided";
  const actions = new Set(
    custom.run.ends.map(({ action }) => {
      if (action === "allow") return ofTokens;
      return action === "log" && ofTokens === "block" ? ofTokens : action;
    }),
  );
  const [only] = actions;
  return only === undefined || actions.size > 1 ? "undecided" : only;
}

function outcomeOfCustomRules(action: VerdictAction): Outcome {
  return action === "undecided" ? "undecided" : "custom_rule";
}

function describeRule({ rule: { id, title, action } }: CompiledRule): DecidingRule {
  return { id, ...(title !== undefined && { title }), action };
}

/** The matching rules with their positions in the list. */
function* matchingRules({ matching }: RuleEvaluation): Generator<[CompiledRule, number]> {
  for (const [position, rule] of matching.list.entries()) {
    if (!matching.skipped?.has(position)) yield [rule, position];
  }
}

function ruleResults({ state, custom }: VerdictSource): RuleResult[] {
  const fired = new Set(state.fired);
  const isReached = custom === undefined || !customRulesEnd(custom);
  return Array.from(matchingRules(state), ([rule, position]) => {
    const result = ruleOutcome(rule, position, state, fired);
    return Object.freeze({
      ...describeRule(rule),
      result: isReached || result === "disabled" ? result : "not_reached",
    });
  });
}

function ruleOutcome(
  rule: CompiledRule,
  position: number,
  state: RuleEvaluation,
  fired: ReadonlySet<number>,
): RuleOutcome {
  if (!rule.enabled) return "disabled";
  if (fired.has(position)) return "fired";
  return position < state.end ? "passed" : "shadowed";
}

function createTrace({ state, zone, custom }: VerdictSource): Trace {
  const isReached = custom === undefined || !customRulesEnd(custom);
  const evaluated = Array.from(matchingRules(state)).filter(
    ([rule, position]) => isReached && rule.enabled && position < state.end,
  );
  const { compared: values, results } = state.evaluation;
  const source = { program: zone.table.program, values, results };
  const expressions = evaluated.map(([rule]) => traceRule(rule, source));
  return Object.freeze({
    tokens: Object.freeze(traceTokens(state.evaluation)),
    expressions: Object.freeze(expressions),
  });
}

function verifiedClaims({ evaluation }: RuleEvaluation): VerifiedClaims {
  const claims: Record<string, Readonly<Record<string, unknown>>> = Object.create(null);
  for (const { config, check } of evaluation.results.values()) {
    if (check?.reason === "valid" && check.claims) claims[config.id] = check.claims;
  }
  return Object.freeze(claims);
}
