/**
 * Makes verdicts. What decides is there at once; the rest (rules, trace, claims) is made from the recorded answers
 * when it is first read, so that a verdict nobody asks costs little. Nothing in it changes.
 */

import type { Operation } from "../model.ts";
import type { CompiledRule, Progress } from "../zone/evaluate-rules.ts";
import type { LeafTable } from "../zone/evaluation.ts";
import type { CoveringRule } from "../zone/matching-rules.ts";
import { explainVerdict } from "./explain.ts";
import { type Trace, traceExpression, traceTokens } from "./trace.ts";
import type {
  DecidingRule,
  Outcome,
  PlainVerdict,
  RuleOutcome,
  RuleResult,
  Verdict,
  VerdictAction,
  VerifiedClaims,
} from "./verdict.ts";

/** What a verdict is made of. */
export interface VerdictSource {
  readonly progress: Progress;
  readonly decider: CompiledRule | undefined;
  readonly table: LeafTable;
}

/** Makes the verdict of a finished evaluation. */
export function createVerdict(source: VerdictSource): Verdict {
  return new LazyVerdict(source);
}

/** A class because getters on a prototype cost a request nothing. */
class LazyVerdict implements Verdict {
  readonly action: VerdictAction;
  readonly outcome: Outcome;
  readonly #source: VerdictSource;
  #rules: readonly RuleResult[] | undefined;
  #trace: Trace | undefined;
  #claims: VerifiedClaims | undefined;

  constructor(source: VerdictSource) {
    this.#source = source;
    const fired = source.progress.fired.length > 0;
    this.action = fired ? (source.decider as CompiledRule).rule.action : "allow";
    this.outcome = fired ? "fired" : quietOutcome(source);
  }

  get operation(): Operation | undefined {
    return this.#source.progress.operation;
  }

  get rule(): DecidingRule | undefined {
    const { decider } = this.#source;
    return decider && Object.freeze(describeRule(decider));
  }

  get rules(): readonly RuleResult[] {
    this.#rules ??= Object.freeze(ruleResults(this.#source.progress));
    return this.#rules;
  }

  get trace(): Trace {
    this.#trace ??= makeTrace(this.#source);
    return this.#trace;
  }

  get claims(): VerifiedClaims {
    this.#claims ??= verifiedClaims(this.#source.progress);
    return this.#claims;
  }

  explain(): string {
    const { method, url } = this.#source.progress.run.request;
    return explainVerdict(this, method, url);
  }

  toJSON(): PlainVerdict {
    const { action, outcome, operation, rule, rules, trace, claims } = this;
    return { action, outcome, ...(operation && { operation }), ...(rule && { rule }), rules, trace, claims };
  }
}

function quietOutcome({ progress }: VerdictSource): Outcome {
  if (progress.operation === undefined) return "not_an_operation";
  return progress.covering.first === -1 ? "no_rule" : "passed";
}

function describeRule({ rule: { id, title, action } }: CompiledRule): DecidingRule {
  return { id, ...(title !== undefined && { title }), action };
}

/** Visits the covering rules with their positions in the covering's list. */
function* positions({ covering }: Progress): Generator<[CompiledRule, number]> {
  for (const [position, rule] of covering.list.entries()) {
    if (!covering.skipped?.has(position)) yield [rule, position];
  }
}

function ruleResults(progress: Progress): RuleResult[] {
  const fired = new Set(progress.fired);
  return Array.from(positions(progress), ([rule, position]) =>
    Object.freeze({ ...describeRule(rule), result: ruleOutcome(rule, position, progress, fired) }),
  );
}

function ruleOutcome(
  rule: CoveringRule,
  position: number,
  progress: Progress,
  fired: ReadonlySet<number>,
): RuleOutcome {
  if (!rule.enabled) return "disabled";
  if (fired.has(position)) return "fired";
  return position < progress.end ? "passed" : "shadowed";
}

function makeTrace({ progress, table }: VerdictSource): Trace {
  const evaluated = Array.from(positions(progress)).filter(
    ([rule, position]) => rule.enabled && position < progress.end,
  );
  const expressions = evaluated.map(([rule]) => traceExpression(rule, progress, table));
  return Object.freeze({
    tokens: Object.freeze(traceTokens(progress.run)),
    expressions: Object.freeze(expressions),
  });
}

function verifiedClaims({ run }: Progress): VerifiedClaims {
  const claims: Record<string, Readonly<Record<string, unknown>>> = Object.create(null);
  for (const { config, check } of run.results.values()) {
    if (check?.reason === "valid" && check.claims) claims[config.id] = check.claims;
  }
  return Object.freeze(claims);
}
