/** The results of functions, by name (signatures: `language/functions.ts`). */

import { base64Bytes, base64Text, latin1Bytes, latin1Text } from "#bytes";
import { hmacSha256 } from "#hash";
import type { EvaluatedFunctionName, TokenTestName } from "../language/functions.ts";
import { type Address, type Int, type MapValue, missing, unknown } from "../language/types.ts";
import { networkOf } from "./address.ts";
import { toText } from "./bytes.ts";
import { lookupInteger, lookupString } from "./json-lookup.ts";
import { urlDecode } from "./url-decode.ts";

/** The arguments of a call, of the types of its signature; without those that were left out. */
type Arguments = readonly unknown[];

/** The documents of an evaluation, each parsed once. */
export type ReadJson = (bytes: string) => string | undefined;

/** The result of a call; missing arguments reach only the functions whose entry says so. */
export type Apply = (args: Arguments, readJson: ReadJson) => unknown;

/** Defines a function by its typed arguments. */
const of =
  <A extends Arguments>(apply: (...args: A) => unknown): Apply =>
  (args) =>
    apply(...(args as unknown as A));

/** The functions that are evaluated, without those whose result is that of a token. */
export const appliedFunctions: { readonly [N in Exclude<EvaluatedFunctionName, TokenTestName>]: Apply } = {
  lower: of((value: string) => value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  upper: of((value: string) => value.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
  len: of((value: string | readonly unknown[]) => value.length),
  starts_with: of((value: string, start: string) => value.startsWith(start)),
  ends_with: of((value: string, end: string) => value.endsWith(end)),
  concat: concat,
  substring: of(substring),
  url_decode: of(urlDecode),
  decode_base64: of(decodeBase64),
  remove_bytes: of((value: string, bytes: string) => {
    const removed = new Set(bytes);
    return [...value].filter((byte) => !removed.has(byte)).join("");
  }),
  cidr: of((address: Address, ipv4: Int, ipv6: Int) =>
    toNetwork(address, typeof address === "number" ? ipv4 : ipv6),
  ),
  cidr6: of((address: Address, prefix: Int) =>
    typeof address === "number" ? address : toNetwork(address, prefix),
  ),
  join: of((values: readonly string[], separator: string) => values.join(separator)),
  has_key: of((map: MapValue, name: string) => map.get(name) !== undefined),
  has_value: of((values: MapValue | readonly unknown[], value: unknown) =>
    "names" in values ? values.lists().flat().includes(value) : values.includes(value),
  ),
  lookup_json_string: ([source, ...path], readJson) => lookup(lookupString, source, path, readJson),
  lookup_json_integer: ([source, ...path], readJson) => lookup(lookupInteger, source, path, readJson),
  coalesce: (args) => args.find((value) => value !== missing) ?? missing,
  is_timed_hmac_valid_v0: of(isTimedHmacValid),
  hash_in_range: () => unknown,
};

function concat(args: Arguments): unknown {
  const present = args.filter((value) => value !== missing);
  if (present.includes(unknown)) return unknown;
  if (present.length === 0) return missing;
  return typeof present[0] === "string" ? present.join("") : (present as unknown[][]).flat();
}

/** A negative position counts from the end; one outside of the value is its nearest end (weak evidence: a public rule relies on it). */
function substring(value: string, start: Int, end: Int = value.length): string {
  const clamp = (at: Int) => Math.min(value.length, Math.max(0, Number(at) + (at < 0 ? value.length : 0)));
  return value.slice(clamp(start), Math.max(clamp(start), clamp(end)));
}

/** The standard alphabet, with or without padding (RFC 4648, section 4). */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBase64(value: string): string | null {
  const rest = value.replace(/={1,2}$/, "").length % 4;
  const isComplete = value.endsWith("=") ? value.length % 4 === 0 && rest !== 0 : rest !== 1;
  return isComplete && base64.test(value) ? latin1Text(base64Bytes(value)) : missing;
}

/** A prefix out of its range is missing; of a literal it is an error before. */
function toNetwork(address: Address, prefix: Int): Address | null {
  const max = typeof address === "number" ? 32 : 128;
  return prefix >= 1 && prefix <= max ? networkOf(address, Number(prefix)) : missing;
}

function lookup(
  find: (text: string, path: readonly (string | number)[]) => unknown,
  source: unknown,
  path: Arguments,
  readJson: ReadJson,
): unknown {
  const document = readJson(source as string);
  if (document === undefined) return missing;
  // A name that is not UTF-8 is in no document; a position that is not exact is after the last element.
  const keys = path.map((key) => (typeof key === "string" ? toText(key) : Number(key)));
  return keys.includes(undefined) ? missing : (find(document, keys as (string | number)[]) ?? missing);
}

/** The length of the time in a message. */
const timeDigits = 10;

/** The length of a code in URL-safe Base64 without padding (RFC 4648, section 5), which can have a `-` of its own. */
const safeCodeLength = 43;

/**
 * Message, separator, time, `-`, and HMAC-SHA256 of message and time in base64: with the flag `s` URL-safe and without
 * padding. The two samples of the provider's documentation are not valid by it.
 */
function isTimedHmacValid(
  key: string,
  value: string,
  lifetime: Int,
  now: Int,
  separatorLength: Int = 0,
  flags = "",
): boolean {
  const isSafe = flags.includes("s");
  const dash = isSafe ? value.length - safeCodeLength - 1 : value.lastIndexOf("-");
  if (value[dash] !== "-") return false;
  const timeStart = dash - timeDigits;
  const messageEnd = timeStart - Number(separatorLength);
  const time = value.slice(Math.max(0, timeStart), Math.max(0, dash));
  if (messageEnd < 0 || separatorLength < 0 || !/^[0-9]{10}$/.test(time)) return false;
  const code = value.slice(dash + 1);
  const given = isSafe ? code : urlDecode(code.replaceAll("+", "%2B"));
  const message = latin1Bytes(value.slice(0, messageEnd) + time);
  const code64 = base64Text(hmacSha256(latin1Bytes(key), message));
  const expected = isSafe ? code64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") : code64;
  return given === expected && BigInt(now) < BigInt(time) + BigInt(lifetime);
}
