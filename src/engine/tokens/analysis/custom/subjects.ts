/** The values that comparisons of custom rules are of, as far as an analysis looks into them. */

import type { quantifiers } from "../../expression/ast.ts";
import type { CallValue, CustomLiteral, CustomValue } from "../../expression/custom/tree.ts";
import { toText } from "../../expression/custom/values/bytes.ts";
import { ownName } from "../../expression/custom/values/given.ts";
import { customFields } from "../../expression/language/custom-fields.ts";
import { listedFields, singleFields } from "../../expression/language/fields.ts";
import type { ValueFunction } from "../../expression/language/functions.ts";
import { printExpression } from "../../expression/printer.ts";
import type { BoundConfig } from "../bound-expression.ts";
import type { ClaimPath } from "./claims.ts";
import { type Formula, negate, some } from "./formula.ts";
import { ownFieldOf } from "./own-fields.ts";
import type { OwnTest } from "./own-locations.ts";
import { networkTest, rangesTest, type ScalarTest } from "./scalar-cells.ts";
import type { TranslationScope } from "./scope.ts";
import { type TextSubject, type TextTest, toLeaf } from "./string-leaves.ts";

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
  /** A list that token rules read as well. */
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
  subjectOf(value: CustomValue): Subject | undefined;
  /** The list that a value is. */
  listOf(value: CustomValue): ListSubject | undefined;
  /** The list of a name in a map. */
  listOfName(map: CustomValue, name: string): ListSubject | undefined;
  /** The list whose elements a value with `[*]` is. */
  listOfEach(value: CustomValue): ListSubject | undefined;
}

/** Creates the functions that find subjects. */
export function createSubjects(scope: TranslationScope): Subjects {
  const { own, claims, configs } = scope;

  function subjectOf(value: CustomValue): Subject | undefined {
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
    const field = customFields.get(name);
    if (field === undefined) return undefined;
    const base = ownName(field);
    const shared = singleFields.find((one) => one === base);
    if (shared !== undefined)
      return {
        kind: "text",
        functions: [],
        isAscii: true,
        leaf: (functions, test) => ({ kind: "shared", leaf: toLeaf({ name: shared }, functions, test) }),
      };
    if (base === extensionField) return extension;
    const found = ownFieldOf(base);
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

  function ofCall(call: CallValue): Subject | undefined {
    const [first, ...keys] = call.args;
    if (first === undefined || first.kind === "literal" || first.isEach) return undefined;
    switch (call.name) {
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
    source: CustomValue,
    keys: readonly (CustomValue | CustomLiteral)[],
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

  function listOf(value: CustomValue): ListSubject | undefined {
    return value.kind === "index" && typeof value.key === "string"
      ? listOfName(value.of, value.key)
      : undefined;
  }

  function listOfName(map: CustomValue, name: string): ListSubject | undefined {
    if (map.kind !== "field") return undefined;
    const field = customFields.get(map.name);
    const base = field && ownName(field);
    const shared = listedFields.find((one) => one === base);
    if (shared !== undefined) return sharedList(shared, name);
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
      isAscii: false,
      leaf: (functions, test) => ({ kind: "shared", leaf: toLeaf({ name, key, index }, functions, test) }),
    });
    return {
      kind: "shared",
      at,
      isPresent: (index) => ({
        kind: "shared",
        leaf: toLeaf({ name, key, index }, ["len"], { operator: "ge", operand: 0 }),
      }),
      each: (quantifier) => ({
        kind: "text",
        functions: [],
        isAscii: false,
        leaf: (functions, test) => ({
          kind: "shared",
          leaf: toLeaf({ name, key, index: "*" }, functions, test, quantifier),
        }),
      }),
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

  function listOfEach(value: CustomValue): ListSubject | undefined {
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

const extensionField = "http.request.uri.path.extension";

/** The extension of the path, compared with whole strings, by patterns of the path. */
const extension: Subject = {
  kind: "text",
  functions: [],
  isAscii: true,
  leaf: (functions, { operator, operand }) => {
    const texts = typeof operand === "object" ? operand : [String(operand)];
    const isWhole = operator === "eq" || operator === "ne" || operator === "in";
    // An extension is in lower case.
    if (!isWhole || functions.some((name) => name !== "lower")) return undefined;
    const known = texts.map(hasExtension).filter((one) => one !== undefined);
    if (known.length < texts.length) return undefined;
    return operator === "ne" ? negate(some(known)) : some(known);
  },
};

/** A dot that is not the first character of the last segment, and after it neither dots nor slashes. */
function hasExtension(text: string): Formula | undefined {
  const pathMatches = (operand: string): Formula => ({
    kind: "shared",
    leaf: toLeaf({ name: "http.request.uri.path" }, [], { operator: "matches", operand }),
  });
  if (text === "") return negate(pathMatches("[^/][.][^/.]+$"));
  if (!/^[a-z0-9]+$/.test(text)) return undefined;
  const letters = text.replace(/[a-z]/g, (one) => `[${one}${one.toUpperCase()}]`);
  return pathMatches(`[^/][.]${letters}$`);
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

function isNamed(value: CustomValue, name: string): boolean {
  return value.kind === "field" && value.name === name;
}

/** A key of a lookup; undefined for one that no payload has. */
function pathKey(key: CustomValue | CustomLiteral): string | number | undefined {
  if (key.kind !== "literal") return undefined;
  if (typeof key.value === "string") return toText(key.value);
  return typeof key.value === "number" && key.value >= 0 ? key.value : undefined;
}

/** The network of an address. */
function ofNetwork(
  subject: Subject | undefined,
  name: "cidr" | "cidr6",
  prefixes: readonly (CustomValue | CustomLiteral)[],
): Subject | undefined {
  const known = prefixes.map((one) => (one.kind === "literal" ? Number(one.value) : undefined));
  const [ofIpv4, ofIpv6] = name === "cidr" ? known : [undefined, known[0]];
  if (subject?.kind !== "IP" || known.includes(undefined)) return undefined;
  const prefixOf = (address: number | bigint) => (typeof address === "number" ? ofIpv4 : ofIpv6);
  return { kind: "IP", leaf: (test) => subject.leaf(networkTest(test, prefixOf)) };
}

/** A string at a location of its own. */
function textOf(at: (test: OwnTest) => Formula): TextOf {
  const leafOf = (functions: readonly ValueFunction[], test: TextTest) =>
    toLeaf({ name: "http.request.uri" }, functions, test);
  return {
    kind: "text",
    functions: [],
    isAscii: false,
    leaf: (functions, test) => {
      const comparison = leafOf(functions, test);
      return at({ kind: "string", test: { comparison }, key: printExpression(comparison) });
    },
  };
}

function withFunction(subject: Subject | undefined, name: ValueFunction): Subject | undefined {
  if (subject === undefined || subject.kind === "missing") return subject;
  if (subject.kind !== "text" || subject.functions[0] === "len") return undefined;
  return { ...subject, functions: [name, ...subject.functions] };
}

function elementAt(list: ListSubject, index: number): Subject | undefined {
  if (list.kind === "missing") return missing;
  return list.kind === "shared" ? list.at(index) : (list.elements[index] ?? missing);
}

function mapList(list: ListSubject, name: ValueFunction): ListSubject | undefined {
  if (list.kind === "missing") return list;
  if (list.kind === "shared")
    return { ...list, each: (quantifier) => ({ ...(withFunction(list.each(quantifier), name) as TextOf) }) };
  const elements = list.elements.map((one) => withFunction(one, name)).filter((one) => one !== undefined);
  return elements.length < list.elements.length ? undefined : { ...list, elements };
}
