/** The values that comparisons are of, as far as the analysis looks into them. */

import { listedFields, singleFields } from "../../expression/field.ts";
import { knownFields } from "../../expression/language/fields.ts";
import type { CallValue, Literal, quantifiers, Value } from "../../expression/tree.ts";
import { toText } from "../../expression/values/bytes.ts";
import { ownName } from "../../expression/values/given.ts";
import type { ZoneFacts } from "../../rulesets/input/zone-facts.ts";
import type { BoundConfig } from "../bound-expression.ts";
import { valuesOfField } from "../requests/location.ts";
import { alphabetOf } from "../strings/combine.ts";
import { type ComparisonDfa, comparisonDfa } from "../strings/comparison-dfas.ts";
import { type Dfa, deadState, runDfa } from "../strings/dfa.ts";
import type { TextFunction } from "../strings/function-dfas.ts";
import type { Argument, InnerValue } from "../strings/inner-values.ts";
import { comparisonKey, type StringTest, type TextComparison } from "../strings/string-test.ts";
import type { ClaimPath } from "./claims.ts";
import { always, every, type Formula, negate, never, some } from "./formula.ts";
import { ownFieldOf } from "./own-fields.ts";
import type { OwnTest } from "./own-locations.ts";
import { networkTest, rangesTest, type ScalarTest } from "./scalar-cells.ts";
import type { TranslationScope } from "./scope.ts";
import { operandText, type TextSubject } from "./text-tests.ts";

/** A compared value. */
export type Subject =
  | { readonly kind: "missing" }
  | ({ readonly kind: "text" } & TextSubject)
  | { readonly kind: "Int" | "IP"; readonly leaf: (test: ScalarTest) => Formula }
  | { readonly kind: "Bool"; readonly leaf: Formula };

type Quantifier = (typeof quantifiers)[number];
type TextOf = Extract<Subject, { kind: "text" }>;

/** A list of values. */
export type ListSubject =
  | { readonly kind: "missing" }
  /** A list of headers or cookies. */
  | {
      readonly kind: "shared";
      readonly each: (quantifier: Quantifier) => TextOf;
      readonly at: (index: number) => Subject;
      readonly isPresent: (index: number) => Formula;
    }
  /** A list whose elements are enumerated. */
  | {
      readonly kind: "elements";
      readonly elements: readonly Subject[];
      readonly isPresent: (index: number) => Formula;
    };

const missing = { kind: "missing" } as const;

/** Finds the subjects of the expressions of a zone. */
export interface Subjects {
  subjectOf(value: Value): Subject | undefined;
  /** The list that a value is. */
  listOf(value: Value): ListSubject | undefined;
  /** The list of a name in a map. */
  listOfName(map: Value, name: string): ListSubject | undefined;
  /** The list whose elements a value with `[*]` is. */
  listOfEach(value: Value): ListSubject | undefined;
}

const created = new WeakMap<TranslationScope, Subjects>();

/** The functions that find the subjects of a scope. */
export function subjectsOf(scope: TranslationScope): Subjects {
  const subjects = created.get(scope) ?? createSubjects(scope);
  created.set(scope, subjects);
  return subjects;
}

function createSubjects(scope: TranslationScope): Subjects {
  const { own, claims, configs, dfas, zone } = scope;

  /** The DFA of a comparison: always the same one, whose states have numbers. */
  function dfaOf(comparison: StringTest["comparison"]): ComparisonDfa {
    const key = comparisonKey(comparison);
    const dfa = dfas.get(key) ?? comparisonDfa({ comparison });
    dfas.set(key, dfa);
    return dfa;
  }

  function subjectOf(value: Value): Subject | undefined {
    switch (value.kind) {
      case "field":
        return ofField(value.name);
      case "index": {
        if (typeof value.key !== "number") return undefined;
        const list = listOf(value.of);
        return list && elementAt(list, value.key);
      }
      case "call":
        return ofCall(value);
      case "each":
        return undefined;
    }
  }

  function ofField(name: string): Subject | undefined {
    const field = knownFields.get(name);
    if (field === undefined) return undefined;
    const base = ownName(field);
    const shared = singleFields.find((known) => known === base);
    if (shared !== undefined)
      return {
        kind: "text",
        functions: [],
        leaf: (functions, test) => textFormula({ field: { name: shared }, functions, ...test }),
      };
    if (base === "http.request.uri.path.extension") return innerText("http.request.uri.path", "extension");
    if (base === "http.request.full_uri") return fullUri();
    const ofZone = zone[base as keyof ZoneFacts];
    if (ofZone !== undefined) return concatenation([ofZone], dfaOf);
    const found = ownFieldOf(base, scope.values);
    if (found === undefined) return undefined;
    const { domain } = found;
    const at = (test: OwnTest): Formula => ({
      kind: "own",
      location: base,
      test: own.testAt(base, domain, test),
    });
    switch (domain.kind) {
      case "Bool":
        return { kind: "Bool", leaf: at({ kind: "true" }) };
      case "Int":
      case "IP":
        return { kind: domain.kind, leaf: (test) => at({ kind: "scalar", test }) };
      default:
        return textOf(at);
    }
  }

  /** The URL: the scheme, which is one of two, the host and the URI. */
  function fullUri(): Subject | undefined {
    const [isHttps, host, uri] = [ofField("ssl"), ofField("http.host"), ofField("http.request.uri")];
    if (isHttps?.kind !== "Bool" || host?.kind !== "text" || uri?.kind !== "text") return undefined;
    const [https, http] = ["https://", "http://"].map((scheme) => concatenation([scheme, host, uri], dfaOf));
    const leaf: TextSubject["leaf"] = (functions, test) => {
      const [secure, plain] = [https?.leaf(functions, test), http?.leaf(functions, test)];
      if (secure === undefined || plain === undefined) return undefined;
      return some([every([isHttps.leaf, secure]), every([negate(isHttps.leaf), plain])]);
    };
    return { kind: "text", functions: [], leaf };
  }

  /** Strings one after the other; undefined when one may be missing. */
  function ofConcat({ args }: CallValue): Subject | undefined {
    const parts = args.map((arg) => {
      if (arg.kind === "literal") return typeof arg.value === "string" ? operandText(arg.value) : undefined;
      const subject = arg.kind === "field" ? subjectOf(arg) : undefined;
      return subject?.kind === "text" && subject.functions.length === 0 ? subject : undefined;
    });
    const known = parts.filter((part) => part !== undefined);
    return known.length < parts.length ? undefined : concatenation(known, dfaOf);
  }

  function ofCall(call: CallValue): Subject | undefined {
    const [first, ...keys] = call.args;
    if (call.name === "concat") return ofConcat(call);
    if (first === undefined || first.kind === "literal" || first.isEach) return undefined;
    switch (call.name) {
      case "url_decode":
        return keys.length === 0 ? withFunction(subjectOf(first), "url_decode") : undefined;
      case "lower":
      case "upper":
      case "len":
        return first.type === "String" ? withFunction(subjectOf(first), call.name) : undefined;
      case "lookup_json_string":
      case "lookup_json_integer":
        return ofLookup(call.name, first, keys);
      case "cidr":
      case "cidr6":
        return ofNetwork(subjectOf(first), call.name, keys);
      default:
        return undefined;
    }
  }

  /** A lookup in the payload of a token. */
  function ofLookup(
    name: "lookup_json_string" | "lookup_json_integer",
    source: Value,
    keys: readonly (Value | Literal)[],
  ): Subject | undefined {
    if (source.kind !== "index" || source.of.kind !== "index" || !isNamed(source.of.of, claimsName))
      return undefined;
    const path = keys.map(pathKey);
    if (source.key !== 0 || path.includes(undefined)) return missing;
    const config = configOf(source.of.key);
    if (config === undefined) return missing;
    const at = (test: OwnTest) => claims.testClaim(config, path as ClaimPath, test);
    if (name === "lookup_json_string") return textOf(at);
    return { kind: "Int", leaf: (test) => at({ kind: "scalar", test }) };
  }

  function configOf(key: string | number): BoundConfig | undefined {
    return typeof key === "string" ? configs.get(toText(key) ?? key) : undefined;
  }

  function listOf(value: Value): ListSubject | undefined {
    return value.kind === "index" && typeof value.key === "string"
      ? listOfName(value.of, value.key)
      : undefined;
  }

  function listOfName(map: Value, name: string): ListSubject | undefined {
    if (map.kind !== "field") return undefined;
    const field = knownFields.get(map.name);
    const base = field && ownName(field);
    const shared = listedFields.find((known) => known === base);
    if (shared !== undefined) return sharedList(shared, name);
    if (base === "http.request.uri.args") return argumentList(name);
    const claim = listedClaims[base ?? ""];
    if (claim === undefined) return undefined;
    const config = configOf(name);
    if (config === undefined) return missing;
    return claim === "aud" ? audienceOf(config) : claimList(config, claim);
  }

  function sharedList(name: (typeof listedFields)[number], bytes: string): ListSubject | undefined {
    const key = toText(bytes);
    if (key === undefined) return missing;
    // Names of headers are in lower case.
    if (name === "http.request.headers" && key !== key.toLowerCase()) return missing;
    const at = (index: number): TextOf => ({
      kind: "text",
      functions: [],
      leaf: (functions, test) => textFormula({ field: { name, key, index }, functions, ...test }),
    });
    return {
      kind: "shared",
      at,
      isPresent: (index) =>
        textFormula({ field: { name, key, index }, functions: ["len"], operator: "ge", operand: 0 }),
      each: (quantifier) => ({
        kind: "text",
        functions: [],
        leaf: (functions, test) =>
          textFormula({ field: { name, key, index: "*" }, functions, ...test, quantifier }),
      }),
    };
  }

  /** The values of an argument: a comparison of one that is missing is false. */
  function argumentList(bytes: string): ListSubject {
    const name = toText(bytes);
    if (name === undefined) return missing;
    const field = { name: "http.request.uri.query" } as const;
    const of = (index: Argument["index"]) => innerText(field.name, { name, index });
    return {
      kind: "shared",
      at: of,
      each: of,
      isPresent: (index) =>
        textFormula({ field, functions: ["len"], operator: "ge", operand: 0, inner: { name, index } }),
    };
  }

  function claimList(config: BoundConfig, claim: Exclude<ListedClaim, "aud">): ListSubject {
    const at = (test: OwnTest) => claims.testClaim(config, [claim], test);
    if (claim === "iat" || claim === "nbf") {
      const leaf = (test: ScalarTest) => at({ kind: "seconds", test });
      const anyInteger = rangesTest("Int", [{ first: -(2n ** 63n), last: 2n ** 63n - 1n }]);
      return { kind: "elements", elements: [{ kind: "Int", leaf }], isPresent: () => leaf(anyInteger) };
    }
    return { kind: "elements", elements: [textOf(at)], isPresent: () => at({ kind: "isString" }) };
  }

  function audienceOf(config: BoundConfig): ListSubject | undefined {
    if (scope.audiences === undefined) return undefined;
    const at = (index: number) => (test: OwnTest) => claims.testAudience(config, index, test);
    return {
      kind: "elements",
      elements: Array.from({ length: scope.audiences }, (_, index) => textOf(at(index))),
      isPresent: (index) => at(index)({ kind: "isString" }),
    };
  }

  function listOfEach(value: Value): ListSubject | undefined {
    if (value.kind !== "each") return undefined;
    const { of } = value;
    if (of.kind !== "call") return listOf(of);
    const [first] = of.args;
    const { name } = of;
    if (first === undefined || first.kind === "literal" || !first.isEach) return undefined;
    if (name !== "lower" && name !== "upper" && name !== "len") return undefined;
    const list = listOfEach(first);
    return list && mapList(list, name);
  }

  return { subjectOf, listOf, listOfName, listOfEach };
}

/** A value in a query or a path. A part of a longer string that such a value is has no DFA. */
function innerText(name: "http.request.uri.query" | "http.request.uri.path", inner: InnerValue): TextOf {
  const leaf: TextSubject["leaf"] = (functions, test) =>
    test.run === undefined ? textFormula({ field: { name }, functions, ...test, inner }) : undefined;
  return { kind: "text", functions: [], leaf };
}

/** The maximum number of states after a part of a concatenation. */
const maxPartStates = 256;

/** The strings of requests have any of these characters besides those that a DFA tells apart. */
const { fillerUnits } = valuesOfField({ name: "http.request.headers", key: "x", index: 0 });

/** Strings one after the other: the DFA of a comparison goes on at each part in a state in which the one before ends. */
function concatenation(
  parts: readonly (string | TextOf)[],
  dfaOf: (comparison: StringTest["comparison"]) => ComparisonDfa,
): TextOf {
  const leaf: TextSubject["leaf"] = (functions, test) => {
    if (functions[0] === "len" || test.run !== undefined) return undefined;
    if (test.operator === "ne") {
      const equal = leaf(functions, { ...test, operator: "eq" });
      return equal && negate(equal);
    }
    const { dfa, holds } = dfaOf({ functions, ...test });
    const known = new Map<string, Formula | undefined>();
    const from = (at: number, state: number): Formula | undefined => {
      const key = `${at} ${state}`;
      if (!known.has(key)) known.set(key, follow(at, state));
      return known.get(key);
    };
    const follow = (at: number, state: number): Formula | undefined => {
      const part = parts[at];
      if (part === undefined) return holds(dfa.output(state)) ? always : never;
      if (typeof part === "string") return from(at + 1, runDfa(dfa, state, part));
      if (state === deadState) return never;
      if (at === parts.length - 1)
        return part.leaf(functions, { ...test, run: { dfa, from: state, to: holds } });
      const ends = reachableStates(dfa, state);
      if (ends === undefined) return undefined;
      const all = ends.map((to) => {
        const [own, rest] = [
          part.leaf(functions, { ...test, run: { dfa, from: state, to } }),
          from(at + 1, to),
        ];
        return own && rest && every([own, rest]);
      });
      const formulas = all.filter((formula) => formula !== undefined);
      return formulas.length < all.length ? undefined : some(formulas);
    };
    return from(0, dfa.start);
  };
  return { kind: "text", functions: [], leaf };
}

/** The states that a DFA can be in after some string, without the dead state; undefined when there are many. */
function reachableStates(dfa: Dfa, start: number): number[] | undefined {
  const alphabet = alphabetOf([dfa], fillerUnits);
  const states = new Set([start]);
  for (const state of states) {
    for (const unit of alphabet) {
      const next = dfa.step(state, unit);
      if (next !== deadState) states.add(next);
    }
    if (states.size > maxPartStates) return undefined;
  }
  return [...states];
}

const claimsName = "http.request.jwt.claims";

/** The claims that have fields of their own. */
const listedClaims: Readonly<Record<string, ListedClaim>> = {
  [`${claimsName}.aud`]: "aud",
  [`${claimsName}.iss`]: "iss",
  [`${claimsName}.jti`]: "jti",
  [`${claimsName}.sub`]: "sub",
  [`${claimsName}.iat.sec`]: "iat",
  [`${claimsName}.nbf.sec`]: "nbf",
};

type ListedClaim = "aud" | "iss" | "jti" | "sub" | "iat" | "nbf";

function isNamed(value: Value, name: string): boolean {
  return value.kind === "field" && value.name === name;
}

/** A key of a lookup; undefined for one that no payload has. */
function pathKey(key: Value | Literal): string | number | undefined {
  if (key.kind !== "literal") return undefined;
  if (typeof key.value === "string") return toText(key.value);
  return typeof key.value === "number" && key.value >= 0 ? key.value : undefined;
}

/** The network of an address. */
function ofNetwork(
  subject: Subject | undefined,
  name: "cidr" | "cidr6",
  prefixes: readonly (Value | Literal)[],
): Subject | undefined {
  const known = prefixes.map((prefix) => (prefix.kind === "literal" ? Number(prefix.value) : undefined));
  const [ofIpv4, ofIpv6] = name === "cidr" ? known : [undefined, known[0]];
  if (subject?.kind !== "IP" || known.includes(undefined)) return undefined;
  const prefixOf = (address: number | bigint) => (typeof address === "number" ? ofIpv4 : ofIpv6);
  return { kind: "IP", leaf: (test) => subject.leaf(networkTest(test, prefixOf)) };
}

function textFormula(comparison: TextComparison): Formula {
  return { kind: "text", comparison };
}

/** A string at a location of its own. */
function textOf(at: (test: OwnTest) => Formula): TextOf {
  return {
    kind: "text",
    functions: [],
    leaf: (functions, test) => {
      const comparison = { functions, ...test };
      return at({ kind: "string", test: { comparison }, key: comparisonKey(comparison) });
    },
  };
}

function withFunction(subject: Subject | undefined, name: TextFunction): Subject | undefined {
  if (subject === undefined || subject.kind === "missing") return subject;
  if (subject.kind !== "text" || subject.functions[0] === "len") return undefined;
  return { ...subject, functions: [name, ...subject.functions] };
}

function elementAt(list: ListSubject, index: number): Subject | undefined {
  if (list.kind === "missing") return missing;
  return list.kind === "shared" ? list.at(index) : (list.elements[index] ?? missing);
}

function mapList(list: ListSubject, name: TextFunction): ListSubject | undefined {
  if (list.kind === "missing") return list;
  if (list.kind === "shared")
    return { ...list, each: (quantifier) => ({ ...(withFunction(list.each(quantifier), name) as TextOf) }) };
  const elements = list.elements
    .map((element) => withFunction(element, name))
    .filter((subject) => subject !== undefined);
  return elements.length < list.elements.length ? undefined : { ...list, elements };
}
