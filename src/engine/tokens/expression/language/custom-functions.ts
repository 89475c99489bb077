/** The functions of custom rules: one entry each (`observed`). What they compute is in a table of `custom/`. */

import type { ScalarType } from "./custom-types.ts";

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
}

/** Everything about a function of custom rules; an entry without one of the members does not compile. */
export interface CustomFunctionEntry {
  /** Its parameters, in order. */
  readonly parameters: readonly Parameter[];
  /** Further arguments, and how many there must be. */
  readonly rest?: Parameter & { readonly min: number };
  /** The type of the result: that of the first argument for `same`. */
  readonly result: ScalarType | "same";
  /** Whether a missing argument makes the result missing; `own` for the functions that skip it. */
  readonly missing: "propagates" | "own";
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
  result: CustomFunctionEntry["result"],
  help: string,
  more: Partial<Pick<CustomFunctionEntry, "rest" | "missing">> = {},
): CustomFunctionEntry => ({ parameters, result, help, missing: "propagates", ...more });

const lookup = (result: ScalarType, help: string) =>
  define([{ types: ["String"], written: "value" }], result, help, { rest: { ...key, min: 1 } });

/** The functions. */
export const customFunctions = {
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
  decode_base64: define([string], "String", "The decoded bytes; missing when it is not base64."),
  remove_bytes: define([string, literalString], "String", "The string without the bytes of the second one."),
  cidr: define(
    [{ types: ["IP"] }, { ...integer, range: [1, 32] }, { ...integer, range: [1, 128] }],
    "IP",
    "The network of an address, by the prefix lengths for IPv4 and IPv6.",
  ),
  cidr6: define(
    [{ types: ["IP"] }, { ...integer, range: [1, 128] }],
    "IP",
    "The network of an IPv6 address; an IPv4 address as it is.",
  ),
  join: define([{ types: ["Array<String>"] }, literalString], "String", "The elements with a separator."),
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
  ),
} as const satisfies Readonly<Record<string, CustomFunctionEntry>>;

/** The name of a function. */
export type CustomFunction = keyof typeof customFunctions;

/** The names of the functions. */
export const customFunctionNames = Object.keys(customFunctions) as readonly CustomFunction[];

/** Whether a name is a function of custom rules. */
export function isCustomFunction(name: string): name is CustomFunction {
  return Object.hasOwn(customFunctions, name);
}

/** The entry of a function. */
export function entryOfFunction(name: CustomFunction): CustomFunctionEntry {
  return customFunctions[name];
}

/** The signature of a function, for messages and the reference. */
export function signatureOf(name: CustomFunction): string {
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

/** The functions that custom rules lack, with a phase that has them (`observed`; the phase names `chosen`). */
export const functionPhases: ReadonlyMap<string, string> = new Map(
  [
    "to_string",
    "split",
    "regex_replace",
    "wildcard_replace",
    "remove_query_args",
    "uuidv4",
    "sha256",
    "encode_base64",
  ].map((name) => [name, "http_request_transform"]),
);
