/** The custom part of a verdict (`chosen`). */

import type { TracedExpression } from "../verdict/trace-tree.ts";
import type { BlockResponse, CustomAction } from "./model.ts";
import type { StepResult } from "./run.ts";

/** The action of the custom rules. `undecided`: it depends on what the test did not say. */
export type CustomOutcome = "allow" | "log" | "block" | "challenge" | "undecided";

/** A custom rule of a verdict. */
export interface CustomRuleName {
  /** Id of its ruleset. */
  readonly ruleset: string;
  /** Unique in its ruleset. */
  readonly rule: string;
  /** For people. */
  readonly description?: string;
  /** The action when its expression is true. */
  readonly action: CustomAction;
  /** Of `skip`: whether its matches are recorded; absent when it is not stated. */
  readonly logging?: boolean;
}

/** A custom rule with its result. */
export interface CustomRuleResult extends CustomRuleName {
  /** The result. */
  readonly result: StepResult;
}

/** The expression of an evaluated custom rule. */
export interface CustomTrace extends TracedExpression {
  /** Id of the ruleset. */
  readonly ruleset: string;
  /** Id of the rule. */
  readonly rule: string;
}

/** The decision of the custom rules. */
export interface CustomVerdict {
  /** The action; of the token rules, `log` and `allow` let them decide. */
  readonly action: CustomOutcome;
  /** The action of the rule, when it is a challenge. */
  readonly kind?: CustomAction;
  /** The response of a rule that blocks; without a body when the rule states none. */
  readonly response?: Pick<BlockResponse, "status_code"> & Partial<BlockResponse>;
  /** The rule that decided; absent when none did, or when it depends on what is unknown. */
  readonly rule?: CustomRuleName;
  /** The parts of later phases, which are not evaluated here, that rules with `skip` leave out. */
  readonly skipped: {
    /** Names of phases. */
    readonly phases: readonly string[];
    /** Names of products. */
    readonly products: readonly string[];
    /** Ids of rulesets; absent when there are none. */
    readonly rulesets?: readonly string[];
    /** Rules, each the id of its ruleset, a slash and its own id; absent when there are none. */
    readonly rules?: readonly string[];
  };
  /** Every custom rule in order of evaluation, with its result. */
  readonly rules: readonly CustomRuleResult[];
  /**
   * The expressions that were evaluated and are not false, in order. The value is absent when it is unknown, and when it is
   * true for a rule that may match, as exposed credentials are not simulated.
   */
  readonly expressions: readonly CustomTrace[];
  /** When undecided: the fields and lists to give, by name. */
  readonly needs: readonly string[];
}
