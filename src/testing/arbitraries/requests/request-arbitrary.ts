/** Random requests of a zone: for each rule some that make it act and some that do not, and others with any values. */

import type { Arbitrary } from "fast-check";
import { anyValue, type KindsOf } from "../../../core/arguments.ts";
import { createMeters, withinBudget } from "../../../engine/tokens/analysis/budget.ts";
import type { Alternative } from "../../../engine/tokens/analysis/requests/alternatives.ts";
import { concretize } from "../../../engine/tokens/analysis/requests/concretize.ts";
import {
  partitionRequests,
  type RequestClass,
  samplePath,
} from "../../../engine/tokens/analysis/requests/partition.ts";
import type { PlaceholderToken } from "../../../engine/tokens/analysis/requests/placeholder-token.ts";
import { createNodeVerifier } from "../../../engine/tokens/jwt/verifier.ts";
import type { JwtKey, SimulatedRequest } from "../../../engine/tokens/model.ts";
import type { Precedence } from "../../../engine/tokens/zone/evaluate-rules.ts";
import {
  type ReadingOptions,
  type ReadZone,
  readingMembers,
  readZone,
  type ZoneInput,
} from "../../../engine/tokens/zone/zone-input.ts";
import { InvalidInputError, quote } from "../../../errors.ts";
import type { FastCheck } from "../fast-check.ts";
import { createChoices, targetChoices, type ZoneChoices } from "./choices.ts";
import { type DraftRequest, findTargeted, firedRules } from "./targeted.ts";

/** How zones are read, and which of their rules are evaluated. */
export interface RequestOptions extends ReadingOptions {
  /** Which of several covering rules are evaluated; `all` by default. */
  readonly precedence?: Precedence;
}

/** The members of `RequestOptions`. */
export const requestMembers: KindsOf<RequestOptions> = { ...readingMembers, precedence: anyValue };

/** The limit on the work of the analysis, in steps for one question: small, since zones are random, too. */
const maxSteps = 200_000;

/** The maximum number of classes of requests. */
const maxClasses = 2000;

/**
 * Requests of a zone, with some of the tokens.
 *
 * @throws InvalidInputError when the zone is invalid, with every problem
 */
export function requestArbitrary(
  fc: FastCheck,
  input: ZoneInput,
  tokens: readonly string[],
  options: RequestOptions = {},
): Arbitrary<SimulatedRequest> {
  const read = readZone(input, options);
  if (!read.ok) throw new InvalidInputError("The zone is invalid", read.problems);
  const drafts = draftArbitrary(fc, read.value, tokens, options.precedence ?? "all");
  const tokensFor = createTokenIndex(input, tokens);
  return drafts.chain(({ request, placeholderTokens }) =>
    fc
      .tuple(...placeholderTokens.map((placeholder) => fc.constantFrom(...tokensFor(placeholder))))
      .map((chosen) => {
        const fill = (value: string) =>
          placeholderTokens.reduce((text, { value: placeholder }, i) => {
            return text.replaceAll(placeholder, () => chosen[i] ?? placeholder);
          }, value);
        return { ...request, headers: request.headers.map(([name, value]) => [name, fill(value)] as const) };
      }),
  );
}

/**
 * Rejects a zone with a rule that acts only on requests with valid tokens, of which there are none: no request that is
 * drawn makes it act, so that a test would never see it.
 *
 * @throws {TypeError} with the ids of the rules
 */
export function rejectUnreachable(fc: FastCheck, input: ZoneInput, options: RequestOptions = {}): void {
  const read = readZone(input, options);
  if (!read.ok) return;
  const zone = read.value;
  const withoutKeys = { ...zone, configs: zone.configs.map((config) => ({ ...config, keys: [] })) };
  const reachable = rulesThatAct(fc, withoutKeys, options.precedence ?? "all");
  if (zone.rules.every(({ rule }) => !rule.enabled || reachable.has(rule.id))) return;
  const acting = rulesThatAct(fc, zone, options.precedence ?? "all");
  const unreachable = [...acting].filter((id) => !reachable.has(id));
  if (unreachable.length === 0) return;
  const [subject, verb] = unreachable.length === 1 ? ["The rule", "acts"] : ["The rules", "act"];
  throw new TypeError(
    `${subject} ${unreachable.map((id) => quote(id)).join(", ")} ${verb} only on requests with a valid token, and no tokens were passed. Pass tokens that the keys of the zone sign, or the option \`allowUnreachable: true\`.`,
  );
}

/** The rules that act on some request, as far as the analysis finds them. */
function rulesThatAct(fc: FastCheck, zone: ReadZone, precedence: Precedence): ReadonlySet<string> {
  const nextMeter = createMeters({ maxSteps });
  return withinBudget(
    () => {
      const choices = createChoices(fc, zone, [], nextMeter());
      return firedRules({ zone, choices, classes: classesOf(zone, nextMeter()), precedence, nextMeter });
    },
    () => new Set<string>(),
  );
}

/** Requests with placeholders: mostly those that some rule needs. */
function draftArbitrary(
  fc: FastCheck,
  zone: ReadZone,
  tokens: readonly string[],
  precedence: Precedence,
): Arbitrary<DraftRequest> {
  const nextMeter = createMeters({ maxSteps });
  const elsewhere = elsewhereArbitrary(fc, zone);
  return withinBudget(
    () => {
      const choices = createChoices(fc, zone, tokens, nextMeter());
      const classes = classesOf(zone, nextMeter());
      const targeted = findTargeted({ zone, choices, classes, precedence, nextMeter });
      const anyClass = classes.map((requestClass) => ({ choices, requestClass }));
      return fc.oneof(
        ...(targeted.length > 0 ? [{ weight: 8, arbitrary: fc.constantFrom(...targeted) }] : []),
        ...(classes.length > 0 ? [{ weight: 3, arbitrary: classArbitrary(fc, anyClass, nextMeter) }] : []),
        { weight: 1, arbitrary: elsewhere },
      );
    },
    () => elsewhere,
  );
}

/** The classes of the zone's requests, as far as there are not too many. */
function classesOf(zone: ReadZone, meter: ReturnType<ReturnType<typeof createMeters>>): RequestClass[] {
  const classes: RequestClass[] = [];
  for (const requestClass of partitionRequests([zone, zone], meter))
    if (classes.push(requestClass) === maxClasses) break;
  return classes;
}

/** Requests of any class, with any of the choices at each location. */
function classArbitrary(
  fc: FastCheck,
  classes: readonly { readonly choices: ZoneChoices; readonly requestClass: RequestClass }[],
  nextMeter: ReturnType<typeof createMeters>,
): Arbitrary<DraftRequest> {
  const known = new Map<RequestClass, Arbitrary<DraftRequest>>();
  return fc.constantFrom(...classes).chain(({ choices, requestClass }) => {
    const arbitrary = known.get(requestClass) ?? createClassArbitrary(fc, choices, requestClass, nextMeter);
    known.set(requestClass, arbitrary);
    return arbitrary;
  });
}

function createClassArbitrary(
  fc: FastCheck,
  choices: ZoneChoices,
  requestClass: RequestClass,
  nextMeter: ReturnType<typeof createMeters>,
): Arbitrary<DraftRequest> {
  const targets = withinBudget(
    () => targetChoices(choices, requestClass, nextMeter()),
    () => new Map<string, Alternative[]>(),
  );
  const lists = [...targets, ...choices.listed, ...choices.ofFunctions].filter(([, list]) => list.length > 0);
  const byKey = [...new Map(lists.toReversed())];
  const picks = fc.tuple(...byKey.map(([, list]) => fc.constantFrom(...list)));
  const variables = { ...choices.variables, assumptions: requestClass.assumptions };
  return picks.map((picked) => {
    const pairs = picked.map((alternative, i) => [byKey[i]?.[0] ?? "", alternative] as const);
    return concretize(variables, { alternatives: new Map(pairs), sendable: true });
  });
}

/** Requests to operations that no rule may match, and to nothing. */
function elsewhereArbitrary(fc: FastCheck, { operations = [] }: ReadZone): Arbitrary<DraftRequest> {
  const targets = operations.map(({ method, host, segments }) => {
    return {
      method,
      url: `https://${host.replaceAll("{}", "tenant")}${samplePath(segments, "x")}`,
      headers: [],
    };
  });
  const unmatched = { method: "GET", url: "https://api.example.com/elsewhere", headers: [] };
  return fc.constantFrom(unmatched, ...targets).map((request) => ({ request, placeholderTokens: [] }));
}

/** Finds the tokens that may replace a placeholder: signed with its key, or else under its name; or the placeholder itself. */
function createTokenIndex(
  { configs }: ZoneInput,
  tokens: readonly string[],
): (placeholder: PlaceholderToken) => readonly string[] {
  const keys = configs.flatMap(({ credentials }) => credentials.keys);
  const signed = new Map<string, string[]>();
  return ({ value, kid, alg, publicKey }) => {
    const id = JSON.stringify([kid, alg, publicKey]);
    const found =
      signed.get(id) ??
      tokensSignedWith(
        keys.filter((key) => isNamed(key, { kid, alg, publicKey })),
        tokens,
      );
    signed.set(id, found);
    return found.length > 0 ? found : [value];
  };
}

/** Whether a key is the key of a placeholder: several can have the same kid and alg. */
function isNamed(key: JwtKey, { kid, alg, publicKey }: Omit<PlaceholderToken, "value" | "configs">): boolean {
  if (key.kid !== kid || key.alg !== alg) return false;
  const members: Readonly<Record<string, unknown>> = { ...key };
  const expected = publicKey === undefined ? {} : (JSON.parse(publicKey) as object);
  return Object.entries(expected).every(([name, value]) => members[name] === value);
}

/** The reasons of tokens whose signature is right, at any time. */
const signedReasons: readonly string[] = ["valid", "expired", "not_yet_valid"];

/** The tokens that a key verifies; at the time 0 most are not expired. */
function tokensSignedWith([key]: readonly JwtKey[], tokens: readonly string[]): string[] {
  if (key === undefined || tokens.length === 0) return [];
  const verifier = createNodeVerifier([key]);
  return tokens.filter((token) => signedReasons.includes(verifier.check(token, 0).reason));
}
