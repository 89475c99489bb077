/** Rulesets of custom rules, with the interface's own member names (`observed`). */

/** The phase whose rules are evaluated; rulesets of other phases are noted and not evaluated. */
export const customPhase = "http_request_firewall_custom";

/** Who has a ruleset: the account's entry point, the zone's entry point, or one that an entry point executes. */
export const rulesetKinds = ["root", "zone", "custom"] as const;

/** A kind of ruleset. */
export type RulesetKind = (typeof rulesetKinds)[number];

/** The action of a custom rule, which happens when its expression is true. */
export type CustomAction =
  | "block"
  | "challenge"
  | "js_challenge"
  | "managed_challenge"
  | "log"
  | "skip"
  | "execute"
  | "rewrite";

/** The response of a rule that blocks. */
export interface BlockResponse {
  /** HTTP status, 400 to 499. */
  readonly status_code: number;
  /** The body, at most 2,048 bytes in UTF-8. */
  readonly content: string;
  /** The type of the body. */
  readonly content_type: "text/html" | "text/plain" | "application/json" | "text/xml";
}

/** The parameters of actions; each member belongs to one action. */
export interface ActionParameters {
  /** Of `execute`: the id of the custom ruleset. */
  readonly id?: string;
  /** Of `block`. Default: status 403. */
  readonly response?: BlockResponse;
  /** Of `skip`: the rest of this ruleset. */
  readonly ruleset?: "current";
  /** Of `skip`: the rest of the phase at this level. */
  readonly phase?: "current";
  /** Of `skip`: other phases, recorded in the verdict. */
  readonly phases?: readonly string[];
  /** Of `skip`: products, recorded in the verdict. */
  readonly products?: readonly string[];
  /** Of `skip`: ids of rulesets that are executed later. */
  readonly rulesets?: readonly string[];
  /** Of `skip`: ids of rules by the id of their ruleset; a string has ids separated by commas. */
  readonly rules?: Readonly<Record<string, readonly string[] | string>>;
}

/** A custom rule: the members that the engine reads. */
export interface CustomRule {
  /** Unique in its ruleset. */
  readonly id: string;
  /** The name that stays the same when the rule changes. Default: its id. */
  readonly ref?: string;
  /** The action when the expression is true. */
  readonly action: CustomAction;
  /** The parameters of the action. */
  readonly action_parameters?: ActionParameters;
  /** For people. */
  readonly description?: string;
  /** A disabled rule is never evaluated. Default: true. */
  readonly enabled?: boolean;
  /** The condition of the action. */
  readonly expression: string;
  /** Of `skip`: whether the event is recorded. */
  readonly logging?: {
    /** Whether the event is recorded. */
    readonly enabled: boolean;
  };
  /** Deprecated. The result of a rule with it is unknown. */
  readonly exposed_credential_check?: unknown;
  /** Why the rule cannot be evaluated, which an import states. Its result is then unknown. */
  readonly undecided?: string;
}

/** A ruleset: the members that the engine reads. */
export interface Ruleset {
  /** Unique in its zone and account together. */
  readonly id: string;
  /** For people. */
  readonly name?: string;
  /** `root` in an account and `zone` in a zone are entry points, at most one each. */
  readonly kind: RulesetKind;
  /** When its rules are evaluated; only `http_request_firewall_custom` is. */
  readonly phase: string;
  /** In the order of evaluation. Default: none. */
  readonly rules?: readonly CustomRule[];
}
