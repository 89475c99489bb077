/** Each function of the table agrees with a plain model, with and without its optional arguments. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ArgumentType,
  entryOfFunction,
  type FunctionName,
  functionNames,
  isEvaluated,
  isTokenTest,
  type Parameter,
} from "../../../../../src/engine/tokens/expression/language/functions.ts";
import { toInt } from "../../../../../src/engine/tokens/expression/typed-literals.ts";
import { parseAddress, printAddress } from "../../../../../src/engine/tokens/expression/values/address.ts";
import { appliedFunctions } from "../../../../../src/engine/tokens/expression/values/apply.ts";
import { readDocument } from "../../../../../src/engine/tokens/expression/values/json-lookup.ts";
import { runs } from "../../../../support/runs.ts";
import { type Model, read } from "./reference.ts";

/** All functions but those whose result is that of a token, or unknown. */
const applied = functionNames.filter(
  (name) => isEvaluated(name) && !isTokenTest(name) && name !== "hash_in_range",
);

const string = (v: Buffer | string): Model => ({ t: "string", v: Buffer.from(v) });
const int = (v: bigint | number): Model => ({ t: "int", v: BigInt(v) });

const joined = (pieces: readonly string[], maxLength = 6) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((all) => string(all.join("")));
/** Bytes beside the letters A to Z, and bytes that are not UTF-8. */
const bytes = fc.oneof(
  joined(["A", "Z", "a", "z", "@", "[", "`", "{", "é", "", "ab"]),
  fc.constant(string(Buffer.of(0xff, 0x61))),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>("a", "é\n", "", 0, -7, 2 ** 53 - 1, 1.5, true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "é", '"'), tie("value"), { noNullPrototype: true }),
  ),
}));
const documents = fc
  .tuple(json.value, fc.constantFrom("", "\t", " \r\n"), fc.constantFrom("", "", "", "}", ","))
  .map(([value, indent, end]) => string(JSON.stringify(value, null, indent) + end));

const integers = fc.oneof(
  fc.integer({ min: -8, max: 8 }),
  fc.constantFrom(24, 31, 32, 33, 64, 127, 128, 129, 2n ** 63n - 1n, -(2n ** 63n)),
);
/** As URLs have it: without a part in the notation of IPv4. */
const ipv6 = fc.ipV6().map((text) => new URL(`http://[${text}]`).hostname.slice(1, -1));
const ip = fc.oneof(fc.ipV4(), ipv6, fc.constantFrom("255.255.255.255", "::1"));

/** The strings of a function whose format others do not meet, by the position of the argument. */
const strings: Partial<Record<FunctionName, Readonly<Record<number, fc.Arbitrary<Model>>>>> = {
  url_decode: { 0: joined(["%", "2", "5", "%25", "2B", "%2b", "+", "%u00", "u00e9", "%u", "41", "g"], 8) },
  decode_base64: { 0: joined(["YQ", "=", "==", "MTIz", "+", "/", "-", "_", " ", "A"], 4) },
  lookup_json_string: { 0: documents },
  lookup_json_integer: { 0: documents },
};
const jsonKeys = fc.oneof(
  fc.constantFrom("a", "b", "é", '"').map(string),
  fc.integer({ min: -1, max: 3 }).map(int),
);

const arrays = (of: fc.Arbitrary<Model>): fc.Arbitrary<Model> =>
  fc.array(of, { maxLength: 3 }).map((v): Model => ({ t: "array", v }));
const maps: fc.Arbitrary<Model> = fc
  .dictionary(fc.constantFrom("a", "é", "A"), arrays(bytes), { noNullPrototype: true })
  .map((all) => ({
    t: "map",
    v: new Map(Object.entries(all).map(([name, v]) => [Buffer.from(name).toString("latin1"), v])),
  }));

/** A value like another one; the element of an array or a map. */
function like(first: Model): fc.Arbitrary<Model> {
  if (first.t === "string") return bytes;
  if (first.t === "int") return integers.map(int);
  if (first.t === "ip") return ip.map((v): Model => ({ t: "ip", v }));
  return arrays(bytes);
}

function partOf(first: Model): fc.Arbitrary<Model> {
  const inner = (of: Model): readonly Model[] =>
    of.t === "array" ? of.v : of.t === "map" ? [...of.v.values()].flatMap(inner) : [];
  const own = inner(first);
  const others = own[0]?.t === "int" ? integers.map(int) : bytes;
  return own.length === 0 ? others : fc.oneof(fc.constantFrom(...own), others);
}

function ofType(type: ArgumentType, first: Model | undefined): fc.Arbitrary<Model> {
  switch (type) {
    case "String":
      return bytes;
    case "Int":
      return integers.map(int);
    case "IP":
      return ip.map((v): Model => ({ t: "ip", v }));
    case "Array<String>":
      return arrays(bytes);
    case "Array":
      return fc.oneof(arrays(bytes), arrays(integers.map(int)));
    case "Map":
      return maps;
    case "same":
      return like(first as Model);
    case "part":
      return partOf(first as Model);
    default:
      return fc.oneof(
        bytes,
        integers.map(int),
        ip.map((v): Model => ({ t: "ip", v })),
      );
  }
}

function argument(name: FunctionName, { types, options }: Parameter, before: readonly Model[]) {
  if (options !== undefined) return fc.shuffledSubarray([...options]).map((all) => string(all.join("")));
  if (types.length === 2 && types.includes("Int")) return jsonKeys;
  const own = strings[name]?.[before.length] ?? fc.oneof(...types.map((type) => ofType(type, before[0])));
  const isOwn = entryOfFunction(name).missing === "own";
  return isOwn && before.length > 0 ? fc.oneof(own, own, fc.constant<Model>({ t: "missing" })) : own;
}

/** The arguments of a call: those of the signature, the optional ones or not, and further ones. */
function argumentsOf(name: FunctionName): fc.Arbitrary<readonly Model[]> {
  const { parameters, rest } = entryOfFunction(name);
  const required = parameters.filter(({ optional }) => !optional).length;
  const counts = fc.integer({
    min: required + (rest?.min ?? 0),
    max: parameters.length + (rest === undefined ? 0 : 3),
  });
  return counts.chain((count) =>
    Array.from({ length: count }).reduce<fc.Arbitrary<readonly Model[]>>(
      (all, _, i) =>
        all.chain((before) =>
          argument(name, (parameters[i] ?? rest) as Parameter, before).map((last) => [...before, last]),
        ),
      fc.constant([]),
    ),
  );
}

/** Messages with a time and its code, of which about half are valid. */
const timedMessages: fc.Arbitrary<readonly Model[]> = fc
  .record({
    message: fc.constantFrom("", "/a", "a-b", "é"),
    separator: fc.constantFrom("", "?", "?v="),
    time: fc.constantFrom("1700000000", "0000000009", "170000000"),
    encode: fc.constantFrom(encodeURIComponent, (code: string) => code),
    encoding: fc.constantFrom("base64" as const, "base64url" as const),
    key: fc.constantFrom("k", "é"),
    age: fc.constantFrom(-1, 0, 9, 10, 11),
    length: fc.constantFrom(undefined, undefined, 0, 1, 3, -1, 40),
    flags: fc.constantFrom(undefined, "", "s"),
    change: fc.constantFrom("", "", "x"),
  })
  .map(({ message, separator, time, encode, encoding, key, age, length, flags, change }) => {
    const code = createHmac("sha256", key).update(`${message}${time}`).digest(encoding);
    const value = `${message}${separator}${time}-${encode(code)}${change}`;
    const given = [string(key), string(value), int(10), int(Number(time) + age)];
    const more = length ?? (flags === undefined ? undefined : separator.length);
    return [
      ...given,
      ...(more === undefined ? [] : [int(more)]),
      ...(flags === undefined ? [] : [string(flags)]),
    ];
  });

/** The value of the engine. */
function toValue(model: Model): unknown {
  switch (model.t) {
    case "string":
      return model.v.toString("latin1");
    case "int":
      return toInt(model.v);
    case "ip":
      return parseAddress(model.v);
    case "array":
      return model.v.map(toValue);
    case "map": {
      const lists = new Map([...model.v].map(([name, list]) => [name, toValue(list) as readonly unknown[]]));
      return {
        get: (name: string) => lists.get(name),
        names: () => [...lists.keys()],
        lists: () => [...lists.values()],
      };
    }
    case "bool":
      return model.v;
    default:
      return null;
  }
}

/** A value as text; addresses in one spelling. */
function print(model: Model): unknown {
  if (model.t === "array") return model.v.map(print);
  const value = toValue(model);
  return model.t === "ip" ? printAddress(value as number) : value;
}

const printResult = (value: unknown, isAddress: boolean) =>
  isAddress && value !== null ? printAddress(value as number) : value;

const modelOf = (name: FunctionName, args: readonly Model[]): Model => {
  const literals = args.map((value) => ({ k: "literal", text: "", value }) as const);
  return read({ k: "call", name, args: literals }, { fields: new Map(), lists: new Map() });
};

/** Arguments with another choice: without an optional one, or without a letter of an option. */
function otherChoices(name: FunctionName, args: readonly Model[]) {
  const { parameters } = entryOfFunction(name);
  const last = args.length - 1;
  const isOptional = parameters[last]?.optional === true;
  const letters = [...(parameters[last]?.options ?? "")];
  return [
    ...(isOptional ? [{ choice: `argument ${last}`, changed: args.slice(0, last) }] : []),
    ...letters.map((letter) => {
      const given = (args[last] as Extract<Model, { t: "string" }>).v.toString();
      return {
        choice: `option ${letter}`,
        changed: [...args.slice(0, last), string(given.replace(letter, ""))],
      };
    }),
  ];
}

test.each(applied)("%s agrees with the plain model, and each of its options matters", (name) => {
  const seen = new Set<string>();
  const given = name === "is_timed_hmac_valid_v0" ? timedMessages : argumentsOf(name);
  fc.assert(
    fc.property(given, (args) => {
      const expected = modelOf(name, args);
      const actual = appliedFunctions[name as keyof typeof appliedFunctions](args.map(toValue), readDocument);
      expect(printResult(actual, expected.t === "ip")).toEqual(print(expected));
      for (const { choice, changed } of otherChoices(name, args))
        if (print(modelOf(name, changed)) !== print(expected)) seen.add(choice);
      seen.add(`result ${String(print(expected))}`);
    }),
    { numRuns: runs(10_000, 1_000) },
  );
  const { parameters } = entryOfFunction(name);
  const choices = parameters.flatMap(({ optional, options = "" }, i) => [
    ...(optional ? [`argument ${i}`] : []),
    ...[...options].map((letter) => `option ${letter}`),
  ]);
  for (const choice of choices) expect(seen).toContain(choice);
  expect([...seen].filter((outcome) => outcome.startsWith("result")).length).toBeGreaterThan(1);
});
