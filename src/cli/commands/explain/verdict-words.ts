/** The words that verdicts, replays and lists of mutants print, each with its meaning: one table, whose entries their types ask for. */

import type { CustomAction } from "../../../engine/tokens/rulesets/model.ts";
import type { StepResult } from "../../../engine/tokens/rulesets/run.ts";
import type { TestedMutant } from "../../../engine/tokens/suite/mutants/mutant.ts";
import type { LeafReason } from "../../../engine/tokens/verdict/trace-tree.ts";
import type { Outcome, RuleOutcome, VerdictAction } from "../../../engine/tokens/verdict/verdict.ts";
import type { RecordedTokenState } from "../../../import/replay/tally.ts";

/** The kinds of words, each with a word for every value of its type. */
interface VerdictWords {
  readonly action: Readonly<Record<VerdictAction, string>>;
  readonly outcome: Readonly<Record<Outcome | "not_a_zone", string>>;
  readonly "result of a token rule": Readonly<Record<RuleOutcome, string>>;
  readonly "result of a custom rule": Readonly<Record<StepResult, string>>;
  readonly "action of a custom rule": Readonly<Record<CustomAction, string>>;
  readonly reason: Readonly<Record<LeafReason, string>>;
  readonly "recorded token": Readonly<Record<RecordedTokenState, string>>;
  readonly "result of a mutant": Readonly<Record<TestedMutant["result"] | "killed", string>>;
}

/** The kinds of words that are not of a verdict. */
export const otherKinds: ReadonlySet<string> = new Set<keyof VerdictWords>([
  "recorded token",
  "result of a mutant",
]);

/** Every word, by kind. */
export const verdictWords: VerdictWords = {
  action: {
    allow: "The request reaches the origin.",
    log: "The request reaches the origin, and the rule is recorded.",
    block: "The request is answered by the edge, with the response of the rule.",
    challenge:
      "The client must pass a challenge first. The kind is that of the rule; `challengePassed` of a request says that the client has passed one.",
    undecided:
      "The action depends on something that the request or the zone does not state. The verdict names what to add, such as `ip`, `body` or `fields` of the request; `--given` adds it to all requests.",
  },
  outcome: {
    not_an_operation:
      "The request matches no operation of the zone, so no token rule is evaluated, and none protects it. The explanation names the closest operation.",
    no_rule:
      "No enabled rule matches the operation, so nothing was evaluated, and nothing protects it. An expectation must state this outcome.",
    passed: "Every rule that was evaluated passed.",
    fired: "A token rule acted: its expression is false.",
    custom_rule: "A custom rule decided: its expression is true.",
    undecided: "The outcome depends on something that the request or the zone does not state.",
    not_a_zone:
      "No zone of the world has the host of the request. Set --zone, or correct the name of the zone or the host.",
  },
  "result of a token rule": {
    fired: "The expression is false, so the rule acts.",
    passed: "The expression is true, so the rule does not act.",
    shadowed: "The rule was not evaluated, because an earlier rule decided.",
    disabled: "The rule has `enabled: false`.",
    not_reached: "The rule was not evaluated, because a custom rule decided.",
  },
  "result of a custom rule": {
    matched: "The expression is true, so the rule acts.",
    not_matched: "The expression is false, so the rule does not act.",
    skipped: "An earlier rule with `skip` covers the rule.",
    disabled: "The rule has `enabled: false`.",
    not_reached: "An earlier rule ended the evaluation, or the ruleset of the rule was not executed.",
    undecided: "The expression reads something that the request or the zone does not state.",
  },
  "action of a custom rule": {
    block: "Ends the request with a response.",
    challenge: "Ends the request with an interactive challenge. The action of the verdict is `challenge`.",
    js_challenge:
      "Ends the request with a challenge by JavaScript. The action of the verdict is `challenge`.",
    managed_challenge:
      "Ends the request with a challenge that the edge chooses. The action of the verdict is `challenge`.",
    log: "Records the request, and goes on.",
    skip: "Leaves out later rules, phases or products, and goes on.",
    execute: "Evaluates another ruleset.",
    rewrite: "Changes the request; not simulated.",
  },
  reason: {
    missing: "No source of the configuration has a token in this request.",
    malformed:
      "The token is no JWT in the compact form: three parts in base64url with JSON in the first two.",
    unsupported_header: "The header of the token has something that cannot be verified, such as `crit`.",
    unknown_key: "The `kid` of the token is that of no key of the configuration.",
    algorithm_mismatch: "The `alg` of the token is not that of the key.",
    bad_signature: "The key of the configuration did not make the signature, or the token was changed.",
    expired: "The time of the request is after `exp` of the token and the tolerance.",
    not_yet_valid: "The time of the request is before `nbf` of the token and the tolerance.",
    valid: "The signature is that of a key, and the time is between `nbf` and `exp`.",
    missing_value: "The request has nothing to compare, so that the comparison is false.",
    unknown_value: "The request does not state what the part reads.",
    short_circuit: "The part was not evaluated, because an earlier one decided.",
  },
  "recorded token": {
    present: "The recording has the token.",
    absent: "The recording has every header and cookie, and no token.",
    redacted:
      "The recording has a mask in the place of the token. Requests whose verdict depends on it are not evaluated, unless --as assumes a token.",
    stripped:
      "The recording leaves out the headers or cookies that may have had a token. Requests whose verdict depends on it are not evaluated, unless --as assumes a token.",
  },
  "result of a mutant": {
    noticed: "A request has another action, deciding rule or list of logging rules with the changed rules.",
    survived:
      "No request notices the change, though one could: the text of `suite mutate` has such a request. Add it.",
    equivalent: "No request can notice the change: this is proven. The score does not count the mutant.",
    undecided: "Neither a request that would notice the change nor a proof that there is none was found.",
    killed: "The usual word of mutation testing for `noticed`.",
  },
};
