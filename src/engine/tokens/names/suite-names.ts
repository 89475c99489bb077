/** Requests of suites whose rules and configurations have names instead of ids. */

import {
  aNumber,
  arrayOf,
  aString,
  either,
  type KindsOf,
  objectWith,
  optional,
  optionGroup,
  requireArguments,
} from "../../../core/arguments.ts";
import { sentence } from "../../../core/text/sentence.ts";
import type { SuiteRequest } from "../suite/suite-request.ts";
import type { SuiteToken } from "../suite/suite-token.ts";
import { type NamedDecision, nameDecision, resolveDecision } from "./decision-names.ts";
import {
  type ConfigName,
  createPartNames,
  type NamedParts,
  type PartNames,
  type RuleName,
  type RulesetName,
} from "./part-names.ts";

/** A token whose configuration has an id or a name. */
export interface NamedToken extends Omit<SuiteToken, "config"> {
  /** The configuration that has the key. */
  readonly config: string | ConfigName;
}

/** A request of a suite with names. */
export interface NamedSuiteRequest extends Omit<SuiteRequest, "tokens" | "expected"> {
  /** The tokens that take the place of the placeholders. */
  readonly tokens: readonly NamedToken[];
  /** The decision of the zone. */
  readonly expected: NamedDecision;
}

/** The requests of a suite, which stay valid when the service gives the rules and configurations other ids. */
export function nameSuite(zone: NamedParts, requests: readonly SuiteRequest[]): readonly NamedSuiteRequest[] {
  const names = createPartNames(zone);
  return requests.map(({ tokens, expected, ...rest }) => ({
    ...rest,
    tokens: tokens.map((token) => ({ ...token, config: names.configs.nameOf(token.config) })),
    expected: nameDecision(names, expected),
  }));
}

const aRuleset = objectWith({
  id: aString,
  phase: aString,
  rules: optional(arrayOf(objectWith({ id: aString }))),
});
const aSelector = objectWith({
  include: optional(arrayOf(objectWith({ host: optional(arrayOf(aString)) }))),
});
const aZone = objectWith({
  configs: arrayOf(
    objectWith({ id: aString, credentials: objectWith({ keys: arrayOf(objectWith({ kid: aString })) }) }),
  ),
  rules: arrayOf(objectWith({ id: aString, selector: optional(aSelector) })),
  rulesets: optional(arrayOf(aRuleset)),
  account_rulesets: optional(arrayOf(aRuleset)),
});
const nameOf = <N extends object>(members: KindsOf<N>) =>
  either(aString, optionGroup<N>("a name", members, "member"));
const aRulesetName = nameOf<RulesetName>({ kind: optional(aString), name: optional(aString) });
const aRuleName = nameOf<RuleName>({
  title: optional(aString),
  hosts: optional(arrayOf(aString)),
  ref: optional(aString),
  description: optional(aString),
  ruleset: optional(aRulesetName),
  position: optional(aNumber),
});
const aConfigName = nameOf<ConfigName>({
  title: optional(aString),
  kid: optional(aString),
  position: optional(aNumber),
});
const ruleNames = arrayOf(aRuleName);
const aDecision = objectWith({
  action: aString,
  rule: optional(aRuleName),
  logged: ruleNames,
  custom: optional(
    objectWith({
      logged: optional(ruleNames),
      undecided: optional(ruleNames),
      skipped: optional(
        objectWith({ rulesets: optional(arrayOf(aRulesetName)), rules: optional(ruleNames) }),
      ),
    }),
  ),
});
const aToken = objectWith({ config: aConfigName });

/**
 * The requests of a suite with the ids of a zone in the place of names. An expected decision with a name that is not
 * that of one part stays as it is, so that it is not the decision of any verdict.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method eq "GET"';
 * const rules = [{ id: "r1", title: "Reads", action: "block", enabled: true, expression, selector } as const];
 * const expected = { action: "block", rule: { title: "Reads" }, logged: [] } as const;
 * resolveSuite({ configs: [], rules }, [{ tokens: [], expected }])[0]?.expected.rule; // => "r1"
 * ```
 * @throws {RangeError} when the name of a configuration is not that of one
 * @throws {TypeError} for a name with another member, which no part can have
 */
export function resolveSuite<R extends Pick<NamedSuiteRequest, "tokens" | "expected">>(
  zone: NamedParts,
  requests: readonly R[],
): readonly (Omit<R, "tokens"> & { readonly tokens: readonly SuiteToken[] })[] {
  requireArguments({
    zone: [zone, aZone],
    requests: [requests, arrayOf(objectWith({ tokens: arrayOf(aToken), expected: aDecision }))],
  });
  const names = createPartNames(zone);
  return requests.map((request) => {
    const { tokens, expected } = request;
    const resolved = resolveDecision(names, expected);
    return {
      ...request,
      tokens: tokens.map((token) => ({ ...token, config: configOf(names, token.config) })),
      ...("decision" in resolved && { expected: resolved.decision }),
    };
  });
}

/** The id of a configuration. @throws {RangeError} when the name is not that of one */
export function configOf({ configs }: Pick<PartNames, "configs">, name: string | ConfigName): string {
  const found = configs.find(name);
  if ("id" in found) return found.id;
  throw new RangeError(sentence(found.problem));
}
