/** The functions: one entry each (`observed`). The computation of each is in a table of `values/`. */

import { patternProblem } from "../patterns/regular-expression.ts";
import { wildcardProblem } from "../wildcard.ts";
import { kindsWith, type RuleKind } from "./rule-kinds.ts";
import type { ScalarType } from "./types.ts";

/** The types that an argument may have: a type, any array or map, any type, that of the first argument, or that of its parts. */
export type ArgumentType =
  | ScalarType
  | "Array<String>"
  | "Array"
  | "Map"
  | "any"
  | "scalar"
  | "same"
  | "part";

/** A parameter. */
export interface Parameter {
  /** The allowed types. */
  readonly types: readonly ArgumentType[];
  /** Whether the argument must be a literal, or must not be one; either by default. */
  readonly written?: "literal" | "value";
  /** Whether the argument can be left out. */
  readonly optional?: true;
  /** The allowed range of a literal integer. */
  readonly range?: readonly [number, number];
  /** The allowed characters of a literal string. */
  readonly options?: string;
  /** The problem of a literal string; undefined when it is allowed. */
  readonly problem?: (literal: string) => string | undefined;
  /** The fields that the argument must be one of. */
  readonly fields?: readonly string[];
}

/** Everything about a function; an entry without one of the members does not compile. */
export interface FunctionEntry {
  /** Its parameters, in order. */
  readonly parameters: readonly Parameter[];
  /** Further arguments, and how many there must be. */
  readonly rest?: Parameter & { readonly min: number };
  /** The type of the result: that of the first argument for `same`. */
  readonly result: ScalarType | "Array<String>" | "same";
  /** Whether a missing argument makes the result missing; `own` for the functions that skip it. */
  readonly missing: "propagates" | "own";
  /** Whether an expression can have it once, and not inside of another such function. */
  readonly once?: true;
  /** Whether all arguments can be literals. */
  readonly ofLiterals?: true;
  /** The kinds of expressions that have it. */
  readonly rules: readonly RuleKind[];
  /** One sentence, for completion and the reference. */
  readonly help: string;
}

const string: Parameter = { types: ["String"] };
const integer: Parameter = { types: ["Int"] };
const literalString: Parameter = { types: ["String"], written: "literal" };
const same: Parameter = { types: ["same"] };
const key: Parameter = { types: ["String", "Int"], written: "literal" };

const define = (
  parameters: readonly Parameter[],
  result: FunctionEntry["result"],
  help: string,
  more: Partial<Omit<FunctionEntry, "parameters" | "result" | "help">> = {},
): FunctionEntry => ({
  parameters,
  result,
  help,
  missing: "propagates",
  rules: kindsWith.all,
  ...more,
});

const lookup = (result: ScalarType, help: string) =>
  define([{ types: ["String"], written: "value" }], result, help, { rest: { ...key, min: 1 } });

const ofConfig = (help: string) => define([literalString], "Bool", help, { rules: kindsWith.tokens });

/** The maximum number of references to groups in a replacement (`observed`). */
const maxReferences = 8;

const replacement: Parameter = {
  types: ["String"],
  problem: (literal) => {
    const references = literal.replaceAll("$$", "").match(/\$\{[0-9]+\}/g)?.length ?? 0;
    return references > maxReferences
      ? `it has ${references} references, and a replacement must have at most ${maxReferences}`
      : undefined;
  },
};

/** The functions that are evaluated. */
const evaluatedFunctions = {
  is_jwt_valid: ofConfig("The request has a token of the configuration, and it is valid."),
  is_jwt_present: ofConfig("The request has a token of the configuration, valid or not."),
  lower: define([string], "String", "The string with its ASCII letters in lower case."),
  upper: define([string], "String", "The string with its ASCII letters in upper case."),
  len: define([{ types: ["String", "Array"] }], "Int", "The bytes of a string, or the elements of an array."),
  starts_with: define([string, string], "Bool", "Whether the first string starts with the second."),
  ends_with: define([string, string], "Bool", "Whether the first string ends with the second."),
  concat: define(
    [{ types: ["String", "Array"] }],
    "same",
    "The arguments joined; missing ones are skipped.",
    {
      rest: { ...same, min: 1 },
      missing: "own",
    },
  ),
  substring: define(
    [string, integer, { ...integer, optional: true }],
    "String",
    "The bytes from a position, from 0, to before another; negative positions count from the end.",
  ),
  url_decode: define(
    [string, { ...literalString, optional: true, options: "ru" }],
    "String",
    "The string without percent-encoding, `+` as a space; `r` repeats it, `u` also reads `%uHHHH`.",
  ),
  decode_base64: define([string], "String", "The decoded bytes; missing when it is not base64.", {
    rules: [...kindsWith.networks, ...kindsWith.rewrites],
  }),
  remove_bytes: define([string, literalString], "String", "The string without the bytes of the second one."),
  cidr: define(
    [{ types: ["IP"] }, { ...integer, range: [1, 32] }, { ...integer, range: [1, 128] }],
    "IP",
    "The network of an address, by the prefix lengths for IPv4 and IPv6.",
    { rules: kindsWith.networks },
  ),
  cidr6: define(
    [{ types: ["IP"] }, { ...integer, range: [1, 128] }],
    "IP",
    "The network of an IPv6 address; an IPv4 address as it is.",
    { rules: kindsWith.networks },
  ),
  join: define([{ types: ["Array<String>"] }, literalString], "String", "The elements with a separator.", {
    rules: ["token", "custom", "http_custom_errors", ...kindsWith.rewrites],
  }),
  has_key: define([{ types: ["Map"] }, string], "Bool", "Whether a map has a name; case matters."),
  has_value: define(
    [{ types: ["Map", "Array"] }, { types: ["part"] }],
    "Bool",
    "Whether some element is the value; case matters.",
  ),
  lookup_json_string: lookup("String", "The string in JSON by names and positions; else missing."),
  lookup_json_integer: lookup("Int", "The integer in JSON by names and positions; else missing."),
  coalesce: define([{ types: ["any"] }], "same", "The first argument that is not missing.", {
    rest: { ...same, min: 1 },
    missing: "own",
  }),
  is_timed_hmac_valid_v0: define(
    [
      literalString,
      string,
      { ...integer, written: "literal" },
      integer,
      { ...integer, optional: true },
      { ...literalString, optional: true, options: "s" },
    ],
    "Bool",
    "Whether a message with its time has the code HMAC-SHA256 of the key and is not older than the lifetime.",
  ),
  hash_in_range: define(
    [integer, integer, { types: ["scalar"], written: "value" }],
    "Bool",
    "Whether the hash of a value is in a range; always unknown.",
    { rules: kindsWith.allButTokens },
  ),
} as const satisfies Readonly<Record<string, FunctionEntry>>;

/** The functions of phases that are checked and not evaluated. */
const checkedFunctions = {
  to_string: define([{ types: ["Int", "Bool", "IP"] }], "String", "The value as text.", {
    rules: kindsWith.values,
  }),
  regex_replace: define(
    [string, { ...literalString, problem: (pattern) => patternProblem(pattern)?.message }, replacement],
    "String",
    "The string with the first match of a pattern replaced.",
    { rules: kindsWith.values, once: true },
  ),
  wildcard_replace: define(
    [
      { ...string, written: "value" },
      { ...literalString, problem: wildcardProblem },
      replacement,
      { ...literalString, optional: true, options: "s" },
    ],
    "String",
    "The string, replaced when it matches a wildcard pattern.",
    { rules: kindsWith.targetAndUri, once: true },
  ),
  remove_query_args: define(
    [{ types: ["String"], fields: ["http.request.uri.query", "raw.http.request.uri.query"] }],
    "String",
    "The query without the named arguments.",
    { rest: { ...string, min: 1 }, rules: kindsWith.rewriteValues },
  ),
  split: define(
    [
      string,
      {
        ...literalString,
        problem: (literal) => (literal === "" ? "a separator must not be empty" : undefined),
      },
      { ...integer, written: "literal", range: [1, 128] },
    ],
    "Array<String>",
    "The parts between separators, at most the given number.",
    { rules: kindsWith.errors },
  ),
  uuidv4: define([string], "String", "A random UUID, made of random bytes such as `cf.random_seed`.", {
    rules: kindsWith.rewriteValues,
  }),
  sha256: define([string], "String", "The hash of the string.", {
    rules: kindsWith.headers,
    ofLiterals: true,
  }),
  encode_base64: define(
    [string, { ...literalString, optional: true, options: "up" }],
    "String",
    "The string in Base64; `u` for the URL-safe alphabet, `p` with padding.",
    { rules: kindsWith.headers, ofLiterals: true },
  ),
} as const satisfies Readonly<Record<string, FunctionEntry>>;

/** The functions. */
export const functions = { ...evaluatedFunctions, ...checkedFunctions };

/** The name of a function. */
export type FunctionName = keyof typeof functions;

/** The name of a function that is evaluated. */
export type EvaluatedFunctionName = keyof typeof evaluatedFunctions;

/** Whether a function is evaluated. */
export function isEvaluated(name: FunctionName): name is EvaluatedFunctionName {
  return Object.hasOwn(evaluatedFunctions, name);
}

/** The names of the functions. */
export const functionNames = Object.keys(functions) as readonly FunctionName[];

/** Whether a name is a function. */
export function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}

/** The functions whose result is that of a configuration's token, by its id. */
export const tokenTests = ["is_jwt_valid", "is_jwt_present"] as const satisfies readonly FunctionName[];

/** A function whose result is that of a token. */
export type TokenTestName = (typeof tokenTests)[number];

/** Whether a function is one of {@link tokenTests}. */
export function isTokenTest(name: string): name is TokenTestName {
  return tokenTests.some((test) => test === name);
}

/** Whether a kind of rules has a function. */
export function hasFunction(rules: RuleKind, name: FunctionName): boolean {
  return functions[name].rules.includes(rules);
}

/** The entry of a function. */
export function entryOfFunction(name: FunctionName): FunctionEntry {
  return functions[name];
}

/** The signature of a function, for messages and the reference. */
export function signatureOf(name: FunctionName): string {
  const { parameters, rest } = entryOfFunction(name);
  const print = ({ types, written, optional }: Parameter) =>
    `${written === "literal" ? "literal " : ""}${types.map((type) => argumentTypes[type]).join(" or ")}${optional ? " (optional)" : ""}`;
  return `${name}(${[...parameters.map(print), ...(rest ? [print(rest), "..."] : [])].join(", ")})`;
}

/** The types of arguments in a signature. */
const argumentTypes: { readonly [T in ArgumentType]: string } = {
  Bool: "Bool",
  Int: "Int",
  IP: "IP",
  String: "String",
  "Array<String>": "Array<String>",
  Array: "Array",
  Map: "Map",
  any: "any type",
  scalar: "Bool, Int, IP or String",
  same: "same type",
  part: "element",
};
