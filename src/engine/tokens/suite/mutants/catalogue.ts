/**
 * The catalogue of mutants: one entry a kind. Generation, test, the reference and the schema of reports derive from
 * it; an entry without one of the members does not compile.
 */

import { algorithmChanges, type ConfigChanges, keyChanges, sourceChanges } from "./config-mutants.ts";
import {
  operatorChanges,
  otherClaims,
  otherConfigs,
  otherFields,
  otherFunctions,
  removedOperands,
} from "./expression-mutants.ts";
import { type ListChanges, listItems, listValues, maxChangedItems } from "./list-mutants.ts";
import { otherOperands } from "./operand-mutants.ts";
import {
  type OperationChanges,
  otherMethods,
  otherTemplates,
  removedOperation,
} from "./operation-mutants.ts";
import type { PartChanges } from "./part-changes.ts";
import {
  actionChanges,
  enabledChanges,
  exclusionChanges,
  hostChanges,
  orderChanges,
  positionChanges,
  type RuleChanges,
} from "./rule-mutants.ts";
import {
  customActionChanges,
  customEnabledChanges,
  customOrderChanges,
  customTargetChanges,
  type RulesetChanges,
} from "./ruleset-mutants.ts";

/** The changes of each part of a zone. */
interface Changes {
  readonly rule: RuleChanges;
  readonly expression: PartChanges;
  readonly "custom rule": RulesetChanges;
  readonly list: ListChanges;
  readonly operation: OperationChanges;
  readonly config: ConfigChanges;
}

/** The parts of a zone that are changed. */
export type MutatedPart = keyof Changes;

/** Everything about a kind of mutants of a part. */
interface MutantEntry<Part extends MutatedPart> {
  readonly part: Part;
  /** The change, in one sentence. */
  readonly changes: string;
  /** A part before and after. */
  readonly example: readonly [before: string, after: string];
  /** The version that has it first. */
  readonly since: string;
  readonly create: Changes[Part];
}

type Entry = { [Part in MutatedPart]: MutantEntry<Part> }[MutatedPart];

/** Defines an entry of a part. */
const define = <Part extends MutatedPart>(
  part: Part,
  create: Changes[Part],
  since: string,
  changes: string,
  example: MutantEntry<Part>["example"],
): MutantEntry<Part> => ({ part, create, since, changes, example });

/** The kinds, in the order in which they are created for a part. */
export const mutantCatalogue = {
  action: define("rule", actionChanges, "0.1", "The action.", ["block", "log"]),
  enabled: define("rule", enabledChanges, "0.1", "Whether the rule is enabled.", ["true", "false"]),
  host: define("rule", hostChanges, "0.1", "Each host removed; each other host of the zone added.", [
    '["a.example", "b.example"]',
    '["a.example"]',
  ]),
  exclusion: define(
    "rule",
    exclusionChanges,
    "0.1",
    "Each operation of the rule's hosts excluded, or no longer excluded.",
    ['["list"]', '["list", "add"]'],
  ),
  order: define(
    "rule",
    orderChanges,
    "0.1",
    "The rule after each of the 12 next, and before each of the 12 previous rules that apply to some of the same requests.",
    ["a, b, c", "b, a, c"],
  ),
  position: define("rule", positionChanges, "0.1", "The rule first; the rule last.", ["a, b, c", "b, c, a"]),
  operator: define(
    "expression",
    operatorChanges,
    "0.1",
    "Each operator that can have the operand; combinators, quantifiers, token tests and constants; `not` added or removed.",
    ['is_jwt_valid("a") or ssl', 'is_jwt_present("a") or ssl'],
  ),
  operand: define("expression", removedOperands, "0.1", "Each operand of `or`, `xor` and `and` removed.", [
    'is_jwt_valid("a") or is_jwt_valid("b")',
    'is_jwt_valid("a")',
  ]),
  id: define("expression", otherConfigs, "0.1", "Each other configuration.", [
    'is_jwt_valid("a")',
    'is_jwt_valid("b")',
  ]),
  function: define(
    "expression",
    otherFunctions,
    "0.2",
    "Each function removed, or another one with the same parameters and result; `lower` and `upper` added, in custom rules also `url_decode` of the URL and the body.",
    ["lower(http.host)", "upper(http.host)"],
  ),
  field: define(
    "expression",
    otherFields,
    "0.2",
    "The next and the previous field of its type, source and area; the next and the previous position of an array; the other names of a map in the zone.",
    ['http.request.headers["x"][0]', 'http.request.headers["x"][1]'],
  ),
  bound: define(
    "expression",
    otherOperands("bound"),
    "0.2",
    "Each integer and address one up and one down, also the ends of ranges.",
    ["ge 16", "ge 15"],
  ),
  value: define(
    "expression",
    otherOperands("value"),
    "0.1",
    "Each string another one that the field has in the zone, else longer.",
    ['eq "GET"', 'eq "POST"'],
  ),
  string: define(
    "expression",
    otherOperands("string"),
    "0.2",
    "Each string one character shorter and one longer, at both ends, also in sets and as an argument.",
    ['"/admin"', '"/admi"'],
  ),
  set: define(
    "expression",
    otherOperands("set"),
    "0.1",
    "Each element of a set removed; each string changed, and each other string that the field has in the zone added.",
    ['in {"GET" "POST"}', 'in {"GET"}'],
  ),
  prefix: define(
    "expression",
    otherOperands("prefix"),
    "0.2",
    "Each prefix of a network one bit longer and one shorter.",
    ["10.0.0.0/8", "10.0.0.0/9"],
  ),
  claim: define(
    "expression",
    otherClaims,
    "0.2",
    "Each name in a lookup another one of the zone; the only one longer.",
    ['"role"', '"sub"'],
  ),
  wildcard: define(
    "expression",
    otherOperands("wildcard"),
    "0.1",
    "Each star removed, and one added at each place and for each character; each piece shorter and longer at both ends.",
    ['"/admin/*"', '"/a*dmin/*"'],
  ),
  anchor: define("expression", otherOperands("anchor"), "0.2", "Each anchor of a pattern removed or added.", [
    "^/api",
    "/api",
  ]),
  class: define(
    "expression",
    otherOperands("class"),
    "0.2",
    "Each class negated, each part of it removed, each end of a range one up and one down; `.` literal.",
    ["[a-z_]", "[a-z]"],
  ),
  quantifier: define(
    "expression",
    otherOperands("quantifier"),
    "0.2",
    "Each bound one up and one down, without maximum or with one, and removed; `?` and `+` added.",
    ["[0-9]{2,4}", "[0-9]{2,5}"],
  ),
  alternative: define(
    "expression",
    otherOperands("alternative"),
    "0.2",
    "Each alternative of a pattern removed.",
    ["^/(a|b)$", "^/(b)$"],
  ),
  literal: define(
    "expression",
    otherOperands("literal"),
    "0.2",
    "Each character of a pattern removed, and any character in its place.",
    ["^/api$", "^/a.i$"],
  ),
  operation: define("operation", removedOperation, "0.2", "Each operation removed.", ["GET /orders", ""]),
  method: define("operation", otherMethods, "0.2", "Each other method of the zone's operations.", [
    "GET /orders",
    "POST /orders",
  ]),
  template: define(
    "operation",
    otherTemplates,
    "0.2",
    "Each segment a variable, each variable a literal; one segment more and one less.",
    ["/orders/{id}", "/{var1}/{var2}"],
  ),
  source: define(
    "config",
    sourceChanges,
    "0.2",
    "Each source removed, each two exchanged; each source of another configuration added first and last.",
    ["header, cookie", "cookie, header"],
  ),
  key: define("config", keyChanges, "0.2", "Each key removed; each key of another configuration added.", [
    "k1, k2",
    "k1",
  ]),
  algorithm: define("config", algorithmChanges, "0.2", "Each other algorithm of an RSA key.", [
    "RS256",
    "PS256",
  ]),
  "custom-action": define("custom rule", customActionChanges, "0.2", "The action.", ["block", "log"]),
  "custom-enabled": define("custom rule", customEnabledChanges, "0.2", "Whether the rule is enabled.", [
    "true",
    "false",
  ]),
  "custom-order": define("custom rule", customOrderChanges, "0.2", "The rule after the next one.", [
    "a, b, c",
    "b, a, c",
  ]),
  "custom-target": define(
    "custom rule",
    customTargetChanges,
    "0.2",
    "What `skip` skips: its ruleset or its level, each rule, ruleset, phase or product no longer; each other ruleset of `execute`; the default response of `block`.",
    ['"ruleset": "current"', '"phase": "current"'],
  ),
  "list-item": define(
    "list",
    listItems,
    "0.3",
    "Each item removed; each item of another list of the same kind added.",
    ['["10.0.0.0/8", "192.0.2.1"]', '["10.0.0.0/8"]'],
  ),
  "list-value": define(
    "list",
    listValues,
    "0.3",
    "Each prefix of a network one bit longer and one shorter; each address and number one up and one down; each host name one character shorter and longer, with `*.` or without.",
    ["10.0.0.0/8", "10.0.0.0/9"],
  ),
} as const satisfies Readonly<Record<string, Entry>>;

/** A kind of mutants. */
export type MutantKind = keyof typeof mutantCatalogue;

/** The kinds, in the order of the catalogue. */
export const mutantKinds = Object.keys(mutantCatalogue) as [MutantKind, ...MutantKind[]];

type KindOf<Part extends MutatedPart> = {
  [Kind in MutantKind]: (typeof mutantCatalogue)[Kind]["part"] extends Part ? Kind : never;
}[MutantKind];

/** The kinds of a part, each with the function that creates its changes. */
export function entriesOf<Part extends MutatedPart>(
  part: Part,
): readonly (readonly [KindOf<Part>, Changes[Part]])[] {
  return mutantKinds.flatMap((kind) => {
    const entry: Entry = mutantCatalogue[kind];
    return entry.part === part ? [[kind as KindOf<Part>, entry.create as Changes[Part]] as const] : [];
  });
}

/** Values that no mutant changes: those that are nowhere in the zone, which no finite list of requests can notice. */
export const notMutated = [
  "a new operand of an expression, alternative of a pattern, string of a set or item of a list that is nowhere in the zone",
  "a host, operation, source or key that is nowhere in the zone",
  `the items of a list after its first ${maxChangedItems}`,
  "the parts of patterns with other flags than `i` and `s`, word boundaries or Unicode classes",
  "expressions that an import could not evaluate, and rules of other phases",
] as const;
