import fc from "fast-check";
import { expect, test } from "vitest";
import { readRulesets } from "../../../../src/engine/tokens/rulesets/input/read-rulesets.ts";
import type {
  ActionParameters,
  CustomAction,
  CustomRule,
  Ruleset,
} from "../../../../src/engine/tokens/rulesets/model.ts";
import { createProgram } from "../../../../src/engine/tokens/rulesets/program.ts";
import { type Run, runProgram, type StepResult } from "../../../../src/engine/tokens/rulesets/run.ts";
import { ofAccount } from "../../../support/account-rules.ts";
import { runs } from "../../../support/runs.ts";

/** In place of an expression: its value, or `unknown`. */
type Truth = "true" | "false" | "unknown";

const truth = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Truth>("true") },
  { weight: 3, arbitrary: fc.constant<Truth>("false") },
  { weight: 2, arbitrary: fc.constant<Truth>("unknown") },
);

const skips: readonly ActionParameters[] = [
  { ruleset: "current" },
  { phase: "current" },
  { phase: "current", products: ["waf"] },
  { phases: ["http_ratelimit"] },
  { products: ["waf", "bic"] },
  { rulesets: ["c1"] },
  { rules: { zone: ["1", "2"], c1: ["0"] } },
  { rules: { c2: "0, 1", account: "2" } },
  { rulesets: ["c1", "managed"] },
  { rules: { managed: "8, 9", zone: ["1"] } },
];

const plainAction = fc.constantFrom<CustomAction>(
  "block",
  "challenge",
  "js_challenge",
  "log",
  "log",
  "log",
  "skip",
  "skip",
  "skip",
);

const ruleBody = (actions: fc.Arbitrary<CustomAction>) =>
  fc.record({
    action: actions,
    enabled: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
    expression: truth,
    skip: fc.constantFrom(...skips),
    execute: fc.constantFrom("c1", "c2"),
  });

type Body = typeof ruleBody extends (...of: never[]) => fc.Arbitrary<infer B> ? B : never;

function ruleOf({ action, enabled, expression, skip, execute }: Body, i: number): CustomRule {
  const parameters = action === "skip" ? skip : action === "execute" ? { id: execute } : undefined;
  return { id: `${i}`, action, enabled, expression, ...(parameters && { action_parameters: parameters }) };
}

const listOf = (actions: fc.Arbitrary<CustomAction>, maxLength: number) =>
  fc.array(ruleBody(actions), { maxLength }).map((bodies) => bodies.map(ruleOf));

const entryAction = fc.oneof(
  { weight: 5, arbitrary: plainAction },
  { weight: 3, arbitrary: fc.constant<CustomAction>("execute") },
);

const phase = "http_request_firewall_custom";

const input = fc
  .record({
    account: listOf(entryAction, 4),
    zone: listOf(entryAction, 5),
    c1: listOf(plainAction, 3),
    c2: listOf(plainAction, 3),
    challengePassed: fc.boolean(),
  })
  .map(({ challengePassed, ...lists }) => ({
    challengePassed,
    account: { id: "account", kind: "root", phase, rules: lists.account.map(ofAccount) } satisfies Ruleset,
    zone: { id: "zone", kind: "zone", phase, rules: lists.zone } satisfies Ruleset,
    custom: [
      { id: "c1", kind: "custom", phase, rules: lists.c1.map(ofAccount) },
      { id: "c2", kind: "custom", phase, rules: lists.c2.map(ofAccount) },
    ] satisfies Ruleset[],
  }));

type Input = typeof input extends fc.Arbitrary<infer I> ? I : never;

function run(given: Input): { readonly run: Run; readonly results: StepResult[]; readonly count: number } {
  const { read, problems } = readRulesets<Truth>(
    { account_rulesets: [given.account, ...given.custom], rulesets: [given.zone] },
    (text) => ({ ok: true, value: text as Truth }),
    () => ({
      ok: true,
      value: {
        tree: { kind: "constant", value: true, isArray: false, span: { start: 0, end: 4 } },
        notes: [],
      },
    }),
  );
  expect(problems).toEqual([]);
  const program = createProgram(read);
  const results: StepResult[] = program.steps.map(({ enabled }) => (enabled ? "not_reached" : "disabled"));
  const valueAt = (at: number) => {
    const value = program.steps[at]?.expression;
    return value === "unknown" ? undefined : value === "true";
  };
  const { challengePassed } = given;
  const candidates = [...program.steps.keys()];
  const found = runProgram({
    program,
    candidates,
    valueAt,
    challengePassed,
    onResult: (at, result) => {
      results[at] = result;
    },
  });
  // Without a record of the results the run is the same.
  expect(runProgram({ program, candidates, valueAt, challengePassed })).toEqual(found);
  return { run: found, results, count: program.steps.length };
}

/** A run of known values, written from the specification: a walk over the rulesets. */
class Reference {
  readonly results: StepResult[] = [];
  readonly later = new Set<string>();
  action = "allow";
  decidedBy: number | undefined;
  readonly #given: Input;
  readonly #values: readonly boolean[];
  readonly #skippedRules = new Set<string>();
  readonly #skippedRulesets = new Set<string>();
  #unknowns = 0;

  constructor(given: Input, values: readonly boolean[]) {
    this.#given = given;
    this.#values = values;
    this.#level(given.account);
    this.#level(given.zone);
  }

  #level(entry: Ruleset): void {
    const level = { skipped: false };
    const ruleset = { skipped: false };
    for (const rule of entry.rules ?? []) {
      const fired = this.#rule(entry.id, rule, ruleset, level, true);
      if (rule.action !== "execute") continue;
      const executed = this.#given.custom.find((ruleset) => ruleset.id === rule.action_parameters?.id);
      const inner = { skipped: ruleset.skipped || fired === "skipped" };
      for (const executedRule of executed?.rules ?? [])
        this.#rule(executed?.id ?? "", executedRule, inner, level, fired === "fires" || inner.skipped);
    }
  }

  #rule(
    ruleset: string,
    rule: CustomRule,
    inRuleset: { skipped: boolean },
    inLevel: { skipped: boolean },
    isExecuted: boolean,
  ): "fires" | "passes" | "skipped" {
    const at = this.results.length;
    // The values of unknown rules are those of the assignment, whether or not the rule is reached.
    const value =
      rule.expression === "unknown" ? this.#values[this.#unknowns++] === true : rule.expression === "true";
    const has = this.action === "block" || this.action.endsWith("challenge");
    const isSkipped =
      inRuleset.skipped ||
      inLevel.skipped ||
      this.#skippedRules.has(`${ruleset} ${rule.id}`) ||
      (rule.action === "execute" && this.#skippedRulesets.has(rule.action_parameters?.id ?? ""));
    if (rule.enabled === false) {
      this.results.push("disabled");
      return isSkipped && (inRuleset.skipped || inLevel.skipped) ? "skipped" : "passes";
    }
    if (has || !isExecuted) {
      this.results.push("not_reached");
      return "passes";
    }
    if (isSkipped) {
      this.results.push("skipped");
      return "skipped";
    }
    this.results.push(value ? "matched" : "not_matched");
    if (!value) return "passes";
    const { action, action_parameters: p = {} } = rule;
    const ends = action === "block" || (action.endsWith("challenge") && !this.#given.challengePassed);
    if (ends) [this.action, this.decidedBy] = [action, at];
    if (action === "log" && this.action === "allow") [this.action, this.decidedBy] = ["log", at];
    if (action === "skip") {
      if (p.ruleset) inRuleset.skipped = true;
      if (p.phase) inLevel.skipped = true;
      for (const name of p.phases ?? []) this.later.add(`phases ${name}`);
      for (const name of p.products ?? []) this.later.add(`products ${name}`);
      for (const id of p.rulesets ?? []) {
        this.#skippedRulesets.add(id);
        if (id === "managed") this.later.add(`rulesets ${id}`);
      }
      for (const [id, ids] of Object.entries(p.rules ?? {}))
        for (const skipped of typeof ids === "string" ? ids.split(/, */) : ids) {
          this.#skippedRules.add(`${id} ${skipped}`);
          if (id === "managed") this.later.add(`rules ${id}/${skipped}`);
        }
    }
    return "fires";
  }
}

/** Every assignment of values to as many unknown rules. */
function assignments(count: number): boolean[][] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (__, i) => ((bits >> i) & 1) === 1),
  );
}

test("a run with unknown rules ends as the runs of all their values do", () => {
  const met = new Map<string, number>();
  fc.assert(
    fc.property(input, (given) => {
      const actual = run(given);
      // The rules of an executed ruleset are unknown once for each time that they are executed.
      const probe = new Reference(given, []);
      const unknowns = countUnknowns(given);
      fc.pre(unknowns <= 8);
      const all = assignments(unknowns).map((values) => new Reference(given, values));
      expect(probe.results.length).toBe(actual.count);
      const actions = new Set(all.map(({ action }) => (action.endsWith("challenge") ? "challenge" : action)));
      expect(new Set(actual.run.ends.map(({ action }) => action))).toEqual(actions);
      for (const { action, step } of actual.run.ends) {
        const same = all.filter(
          (reference) => (reference.action.endsWith("challenge") ? "challenge" : reference.action) === action,
        );
        if (step !== undefined) expect(same.some((reference) => reference.decidedBy === step)).toBe(true);
      }
      const results = all[0]?.results.map((first, i) =>
        all.every((reference) => reference.results[i] === first) ? first : "undecided",
      );
      expect(actual.results).toEqual(results);
      const common = (of: (reference: Reference) => ReadonlySet<string>) =>
        [...of(all[0] as Reference)]
          .filter((name) => all.every((reference) => of(reference).has(name)))
          .sort();
      expect([...actual.run.later].sort()).toEqual(common((reference) => reference.later));
      for (const result of actual.results) met.set(result, (met.get(result) ?? 0) + 1);
    }),
    { numRuns: runs(4_000, 200) },
  );
  expect([...met.keys()].sort()).toEqual(
    ["disabled", "matched", "not_matched", "not_reached", "skipped", "undecided"].sort(),
  );
});

function countUnknowns({ account, zone, custom }: Input): number {
  const of = (rules: readonly CustomRule[] = []) =>
    rules.filter((rule) => rule.expression === "unknown").length;
  const executed = [...(account.rules ?? []), ...(zone.rules ?? [])].map((rule) =>
    rule.action === "execute"
      ? of(custom.find((ruleset) => ruleset.id === rule.action_parameters?.id)?.rules)
      : 0,
  );
  return of(account.rules) + of(zone.rules) + executed.reduce((sum, count) => sum + count, 0);
}
