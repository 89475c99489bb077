/** Random bodies of token configurations and rules as a client sends them: valid, and with exactly one fault. */
import type { Arbitrary } from "fast-check";
import type { JwtKey } from "../../engine/tokens/model.ts";
import { addFault, type InvalidBody, type MemberFault, patchFaults, patchOf } from "./body-faults.ts";
import type { FastCheck } from "./fast-check.ts";

/** A body that creates a token configuration. */
export interface ConfigBody {
  /** The name: at most 50 characters. */
  readonly title: string;
  /** The description: at most 500 characters. */
  readonly description: string;
  /** The kind of token. */
  readonly token_type: "JWT";
  /** The headers and cookies with the token: 1 to 4. */
  readonly token_sources: readonly string[];
  /** The keys that make a token valid. */
  readonly credentials: {
    /** Public keys, at least one. */
    readonly keys: readonly JwtKey[];
  };
}

/** A body that creates a rule. */
export interface RuleBody {
  /** The name: at most 50 characters. */
  readonly title: string;
  /** The description: at most 500 characters. */
  readonly description: string;
  /** The action for requests for which the expression is false. */
  readonly action: "log" | "block";
  /** Whether the rule is evaluated. */
  readonly enabled: boolean;
  /** The condition that requests must meet. */
  readonly expression: string;
  /** The hosts to include and the operations to exclude. */
  readonly selector: object;
}

const configPatchMembers = ["title", "description", "token_sources"] as const;
const rulePatchMembers = ["title", "description", "action", "enabled", "expression", "selector"] as const;

/** A body that changes a configuration. */
export type ConfigPatchBody = Partial<Pick<ConfigBody, (typeof configPatchMembers)[number]>>;

/** A body that changes a rule, or moves it. */
export interface RulePatchBody extends Partial<RuleBody> {
  /** The new position of the rule. */
  readonly position?: {
    /** Counted from 1. */
    readonly index: number;
  };
}

/** The code of every rejection (`chosen`). */
const code = 10_400;

const textMembers = (fc: FastCheck) => ({
  title: fc.constantFrom("Users", "ü", "t".repeat(50)),
  description: fc.constantFrom("", "the identity provider", "d".repeat(500)),
});

/** Bodies with one of the faults. */
function withFault(
  fc: FastCheck,
  bodies: Arbitrary<object>,
  faults: readonly MemberFault[],
): Arbitrary<InvalidBody> {
  return fc.tuple(bodies, fc.constantFrom(...faults)).map(([body, fault]) => addFault(body, fault, code));
}

export function configBody(
  fc: FastCheck,
  keys: readonly JwtKey[],
  tokenSource: Arbitrary<string>,
): Arbitrary<ConfigBody> {
  return fc.record({
    ...textMembers(fc),
    token_type: fc.constant("JWT" as const),
    token_sources: fc.uniqueArray(tokenSource, { minLength: 1, maxLength: 4 }),
    credentials: fc.record({ keys: fc.subarray([...keys], { minLength: 1 }) }),
  });
}

export function ruleBody(
  fc: FastCheck,
  expression: Arbitrary<string>,
  hosts: readonly string[],
): Arbitrary<RuleBody> {
  return fc.record({
    ...textMembers(fc),
    action: fc.constantFrom("log" as const, "block" as const),
    enabled: fc.boolean(),
    expression,
    selector: fc.subarray([...hosts], { minLength: 1 }).map((host) => ({ include: [{ host }] })),
  });
}

export function invalidConfigBody(
  fc: FastCheck,
  bodies: Arbitrary<ConfigBody>,
  key: JwtKey,
): Arbitrary<InvalidBody> {
  return withFault(fc, bodies, configFaults(key));
}

export function invalidRuleBody(fc: FastCheck, bodies: Arbitrary<RuleBody>): Arbitrary<InvalidBody> {
  return withFault(fc, bodies, ruleFaults);
}

export function configPatch(fc: FastCheck, bodies: Arbitrary<ConfigBody>): Arbitrary<ConfigPatchBody> {
  return patchOf(fc, bodies, configPatchMembers);
}

export function invalidConfigPatch(
  fc: FastCheck,
  patches: Arbitrary<ConfigPatchBody>,
  key: JwtKey,
): Arbitrary<InvalidBody> {
  return withFault(fc, patches, patchFaults(configFaults(key), configPatchMembers));
}

export function invalidCredentials(
  fc: FastCheck,
  bodies: Arbitrary<ConfigBody["credentials"]>,
  key: JwtKey,
): Arbitrary<InvalidBody> {
  return withFault(fc, bodies, credentialsFaults(key));
}

/** The position, if any, is that of a zone's only rule. */
export function rulePatch(fc: FastCheck, bodies: Arbitrary<RuleBody>): Arbitrary<RulePatchBody> {
  const moves = fc.constantFrom({}, {}, { position: { index: 1 } });
  return fc
    .tuple(patchOf(fc, bodies, rulePatchMembers), moves)
    .map(([patch, move]) => ({ ...patch, ...move }));
}

export function invalidRulePatch(fc: FastCheck, patches: Arbitrary<RulePatchBody>): Arbitrary<InvalidBody> {
  return withFault(fc, patches, [...patchFaults(ruleFaults, rulePatchMembers), ...positionFaults]);
}

const positionFaults: readonly MemberFault[] = [
  { member: "position", value: 1 },
  { member: "position", value: {} },
  { member: "position", value: { index: 1.5 }, at: "position/index" },
  { member: "position", value: { index: "1" }, at: "position/index" },
  { member: "position", value: { before: "no such rule" }, at: "position/before" },
];

const textFaults: readonly MemberFault[] = [
  { member: "title", value: undefined },
  { member: "title", value: 1 },
  { member: "description", value: undefined },
  { member: "description", value: null },
];

const source = 'http.request.headers["authorization"][0]';

/** A second key with another value of a member. */
function keyFault(key: JwtKey, member: string, value: unknown): MemberFault {
  return {
    member: "credentials",
    value: { keys: [key, { ...key, kid: "another", [member]: value }] },
    at: `credentials/keys/1/${member}`,
  };
}

const configFaults = (key: JwtKey): readonly MemberFault[] => [
  ...textFaults,
  { member: "token_type", value: undefined },
  { member: "token_type", value: "SAML" },
  { member: "token_sources", value: undefined },
  { member: "token_sources", value: source },
  { member: "token_sources", value: [source, "http.request.body"], at: "token_sources/1" },
  { member: "token_sources", value: [source, 'http.request.headers["x"][-1]'], at: "token_sources/1" },
  { member: "credentials", value: undefined },
  { member: "credentials", value: { keys: [] }, at: "credentials/keys" },
  { member: "credentials", value: {}, at: "credentials/keys" },
  keyFault(key, "kid", 7),
  keyFault(key, "alg", "HS256"),
  keyFault(key, "kty", "oct"),
];

/** The faults of a body that replaces keys. */
const credentialsFaults = (key: JwtKey): readonly MemberFault[] => [
  { member: "keys", value: undefined },
  { member: "keys", value: [] },
  { member: "keys", value: key },
  { member: "keys", value: [key, key], at: "keys/1/kid" },
  { member: "keys", value: [key, { ...key, kid: "another", alg: "none" }], at: "keys/1/alg" },
];

const host = { include: [{ host: ["api.example.com"] }] };

const ruleFaults: readonly MemberFault[] = [
  ...textFaults,
  { member: "action", value: undefined },
  { member: "action", value: "deny" },
  { member: "enabled", value: undefined },
  { member: "enabled", value: "yes" },
  { member: "expression", value: undefined },
  { member: "expression", value: "" },
  { member: "expression", value: "is_jwt_valid(" },
  { member: "expression", value: 'http.host matches "("' },
  { member: "expression", value: 'is_jwt_valid("00000000-0000-4000-8000-999999999999")' },
  { member: "selector", value: undefined },
  { member: "selector", value: "api.example.com" },
  {
    member: "selector",
    value: { ...host, exclude: [{ operation_ids: "list" }] },
    at: "selector/exclude/0/operation_ids",
  },
  { member: "selector", value: { include: [{ host: [7] }] }, at: "selector/include/0/host/0" },
];
