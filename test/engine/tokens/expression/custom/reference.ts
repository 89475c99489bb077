/**
 * A plain reference evaluator of custom rules: it walks a tree of its own, strings are buffers, integers bigints, and each
 * value is present, missing or unknown. It shares no code with the engine.
 */
import { createHmac } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";

/** A value of the model. */
export type Model =
  | { readonly t: "string"; readonly v: Buffer }
  | { readonly t: "int"; readonly v: bigint }
  | { readonly t: "bool"; readonly v: boolean }
  | { readonly t: "ip"; readonly v: string }
  | { readonly t: "array"; readonly v: readonly Model[] }
  | { readonly t: "map"; readonly v: ReadonlyMap<string, Model> }
  | { readonly t: "missing" }
  | { readonly t: "unknown" };

/** A value in the tree. */
export type V =
  | { readonly k: "field"; readonly name: string }
  | { readonly k: "index"; readonly of: V; readonly key: string | number }
  | { readonly k: "each"; readonly of: V }
  | { readonly k: "call"; readonly name: string; readonly args: readonly V[] }
  | { readonly k: "literal"; readonly text: string; readonly value: Model };

/** The right side of a comparison. */
export type R =
  | V
  | { readonly k: "set"; readonly text: string; readonly items: readonly (readonly [Model, Model])[] }
  | { readonly k: "list"; readonly name: string }
  | { readonly k: "regex" | "wildcard"; readonly text: string; readonly pattern: string };

/** A test in the tree. */
export type E =
  | { readonly k: "or" | "xor" | "and"; readonly of: readonly E[] }
  | { readonly k: "not"; readonly of: E }
  | { readonly k: "compare"; readonly left: V; readonly op: string; readonly right: R }
  | { readonly k: "test"; readonly value: V }
  | { readonly k: "any" | "all"; readonly of: E };

/** The fields of a request; a field that is not in it is unknown. */
export interface World {
  readonly fields: ReadonlyMap<string, Model>;
  readonly lists: ReadonlyMap<string, readonly (readonly [Model, Model])[]>;
}

type Truth = boolean | "unknown";

const missing: Model = { t: "missing" };
const unknown: Model = { t: "unknown" };
const string = (v: Buffer | string): Model => ({ t: "string", v: Buffer.from(v) });
const int = (v: number | bigint): Model => ({ t: "int", v: BigInt(v) });
const bool = (v: boolean): Model => ({ t: "bool", v });

/** Whether a value is one of each element. */
const isStream = (v: V): boolean => v.k === "each" || (v.k === "index" && isStream(v.of));

/** The result of a test that has one. */
export function evaluate(e: E, world: World): Truth {
  switch (e.k) {
    case "or":
    case "and":
    case "xor":
      return e.of.map((operand) => evaluate(operand, world)).reduce((a, b) => join(e.k as "or", a, b));
    case "not":
      return negate(evaluate(e.of, world));
    case "any":
    case "all":
      return quantify(e.k, e.of, world);
    case "test":
      return truthOf(read(e.value, world));
    case "compare":
      return compare(read(e.left, world), e.op, e.right, world);
  }
}

const negate = (a: Truth): Truth => (a === "unknown" ? a : !a);

function join(k: "or" | "and" | "xor", a: Truth, b: Truth): Truth {
  if (k === "or" && (a === true || b === true)) return true;
  if (k === "and" && (a === false || b === false)) return false;
  if (a === "unknown" || b === "unknown") return "unknown";
  return k === "xor" ? a !== b : k === "and";
}

function truthOf(value: Model): Truth {
  if (value.t === "unknown") return "unknown";
  return value.t === "bool" && value.v;
}

function quantify(k: "any" | "all", of: E, world: World): Truth {
  const found = results(of, world);
  if (found === "unknown") return "unknown";
  if (found === "missing") return of.k !== "test" && k === "all";
  const wanted = k === "any";
  if (found.includes(wanted)) return wanted;
  return found.includes("unknown") ? "unknown" : !wanted;
}

/** The results for each element; of a missing array none, and a quantifier of a value alone is false. */
function results(e: E, world: World): readonly Truth[] | "missing" | "unknown" {
  if (e.k === "not") {
    const found = results(e.of, world);
    return found === "unknown" ? found : listOf(found).map(negate);
  }
  if (e.k === "or" || e.k === "and" || e.k === "xor") {
    const all = e.of.map((operand) => results(operand, world));
    if (all.includes("unknown")) return "unknown";
    return all
      .map((result) => listOf(result as readonly Truth[] | "missing"))
      .reduce((a, b) =>
        Array.from({ length: Math.min(a.length, b.length) }, (_, i) =>
          join(e.k as "or", a[i] as Truth, b[i] as Truth),
        ),
      );
  }
  if (e.k === "test" || e.k === "compare") {
    const value = e.k === "test" ? e.value : e.left;
    const found = isStream(value) ? stream(value, world) : read(value, world);
    if (found.t !== "array") return found.t === "missing" ? "missing" : "unknown";
    return found.v.map((value) => (e.k === "test" ? truthOf(value) : compare(value, e.op, e.right, world)));
  }
  throw new Error(`${e.k} has one result`);
}

const listOf = (found: readonly Truth[] | "missing"): readonly Truth[] => (found === "missing" ? [] : found);

function compare(left: Model, op: string, right: R, world: World): Truth {
  if (left.t === "missing") return false;
  switch (right.k) {
    case "set":
      return left.t === "unknown" ? "unknown" : right.items.some((range) => isIn(left, range));
    case "list": {
      const items = world.lists.get(right.name);
      return left.t === "unknown" || items === undefined
        ? "unknown"
        : items.some((range) => isIn(left, range));
    }
    case "regex":
    case "wildcard": {
      if (left.t !== "string") return "unknown";
      const text = left.v.toString("latin1");
      return right.k === "regex"
        ? new RegExp(right.pattern).test(text)
        : wildcard(right.pattern, op === "wildcard").test(text);
    }
    default: {
      const operand = read(right, world);
      if (operand.t === "missing") return false;
      if (left.t === "unknown" || operand.t === "unknown") return "unknown";
      return holds(left, op, operand);
    }
  }
}

function wildcard(pattern: string, ignoresCase: boolean): RegExp {
  const source = pattern.replace(/\\[*\\]|[\s\S]/g, (part) =>
    part === "*"
      ? "[\\s\\S]*"
      : `\\x${(part.length === 2 ? part[1] : part)!.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return new RegExp(
    `^${ignoresCase ? source.replace(/\\x(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/g, bothCases) : source}$`,
  );
}

function bothCases(code: string): string {
  const letter = String.fromCharCode(Number.parseInt(code.slice(2), 16));
  return `[${letter.toLowerCase()}${letter.toUpperCase()}]`;
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

function isIn(value: Model, [first, last]: readonly [Model, Model]): boolean {
  if (value.t === "ip" && first.t === "ip" && last.t === "ip") {
    if (familyOf(value.v) !== familyOf(first.v)) return false;
    const list = new BlockList();
    list.addRange(first.v, last.v, familyOf(first.v));
    return list.check(value.v, familyOf(value.v));
  }
  return holds(value, "ge", first) && holds(value, "le", last);
}

function holds(left: Model, op: string, right: Model): boolean {
  if (op === "contains" && left.t === "string" && right.t === "string") return left.v.includes(right.v);
  if (op === "bitwise_and" && left.t === "int" && right.t === "int")
    return (BigInt.asUintN(64, left.v) & BigInt.asUintN(64, right.v)) !== 0n;
  const order = orderOf(left, right);
  if (order === undefined) return op === "ne";
  return (
    { eq: order === 0, ne: order !== 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[op] ===
    true
  );
}

/** The order of two values; undefined for addresses of two families. */
function orderOf(left: Model, right: Model): number | undefined {
  if (left.t === "string" && right.t === "string") return Buffer.compare(left.v, right.v);
  if (left.t === "int" && right.t === "int") return left.v < right.v ? -1 : Number(left.v > right.v);
  if (left.t === "bool" && right.t === "bool") return Number(left.v) - Number(right.v);
  if (left.t !== "ip" || right.t !== "ip") throw new Error(`${left.t} and ${right.t} have no order`);
  if (familyOf(left.v) !== familyOf(right.v)) return undefined;
  return Buffer.compare(bytesOfAddress(left.v), bytesOfAddress(right.v));
}

function bytesOfAddress(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const groups = (half: string) => half.split(":").filter((part) => part !== "");
  const zeros = new Array<string>(8 - groups(head).length - groups(tail).length).fill("0");
  return Buffer.from(
    [...groups(head), ...zeros, ...groups(tail)].map((group) => group.padStart(4, "0")).join(""),
    "hex",
  );
}

/** The value of one. */
export function read(v: V, world: World): Model {
  switch (v.k) {
    case "literal":
      return v.value;
    case "field":
      return readField(v.name, world);
    case "index":
      return element(read(v.of, world), v.key);
    case "call":
      return call(v.name, v.args, world);
    case "each":
      throw new Error("a stream has no single value");
  }
}

function readField(name: string, { fields }: World): Model {
  const own = fields.get(name);
  if (own !== undefined) return own;
  const [, base = "", part] = /^(.*)\.(names|values)$/.exec(name) ?? [];
  const map = fields.get(base);
  if (map?.t !== "map") return unknown;
  if (part === "names")
    return { t: "array", v: [...map.v.keys()].map((key) => string(Buffer.from(key, "latin1"))) };
  return { t: "array", v: [...map.v.values()].flatMap((value) => (value.t === "array" ? value.v : [])) };
}

function element(of: Model, key: string | number): Model {
  if (of.t === "array") return of.v[key as number] ?? missing;
  if (of.t === "map") return of.v.get(Buffer.from(key as string).toString("latin1")) ?? missing;
  return of;
}

function stream(v: V, world: World): Model {
  if (v.k === "index") {
    const inner = stream(v.of, world);
    if (inner.t !== "array") return inner;
    return {
      t: "array",
      v: inner.v.map((value) => element(value, v.key)).filter(({ t }) => t !== "missing"),
    };
  }
  if (v.k !== "each") throw new Error("not a stream");
  if (isStream(v.of)) {
    const inner = stream(v.of, world);
    if (inner.t !== "array") return inner;
    return { t: "array", v: inner.v.flatMap((value) => (value.t === "array" ? value.v : [])) };
  }
  const of = read(v.of, world);
  return of.t === "map" ? { t: "array", v: [...of.v.values()] } : of;
}

function call(name: string, args: readonly V[], world: World): Model {
  const [first, ...rest] = args as [V, ...V[]];
  if (!isStream(first))
    return apply(
      name,
      args.map((argument) => read(argument, world)),
    );
  const elements = stream(first, world);
  if (elements.t !== "array") return elements;
  const others = rest.map((argument) => read(argument, world));
  const mapped = elements.v.map((value) => apply(name, [value, ...others]));
  if (mapped.some(({ t }) => t === "unknown")) return unknown;
  return { t: "array", v: mapped.filter(({ t }) => t !== "missing") };
}

function apply(name: string, args: readonly Model[]): Model {
  if (name === "coalesce") return args.find(({ t }) => t !== "missing") ?? missing;
  if (name === "concat") {
    const present = args.filter(({ t }) => t !== "missing");
    if (present.some(({ t }) => t === "unknown")) return unknown;
    if (present.length === 0) return missing;
    if (present.every((value) => value.t === "array"))
      return { t: "array", v: present.flatMap((value) => (value.t === "array" ? value.v : [])) };
    return string(Buffer.concat(present.map(text)));
  }
  if (args.some(({ t }) => t === "missing")) return missing;
  if (args.some(({ t }) => t === "unknown") || name === "hash_in_range") return unknown;
  return (functions[name] as (...of: Model[]) => Model)(...args);
}

const text = (value: Model | undefined): Buffer => (value?.t === "string" ? value.v : Buffer.alloc(0));
const number = (value: Model | undefined): number => (value?.t === "int" ? Number(value.v) : 0);
const mapBytes = (value: Model, change: (byte: number) => number) =>
  string(Buffer.from(text(value).map(change)));

const functions: Readonly<Record<string, (...args: Model[]) => Model>> = {
  lower: (value) => mapBytes(value!, (byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte)),
  upper: (value) => mapBytes(value!, (byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte)),
  len: (value) => int(value?.t === "array" ? value.v.length : text(value).length),
  starts_with: (value, start) => bool(text(value).subarray(0, text(start).length).equals(text(start))),
  ends_with: (value, end) => {
    const at = text(value).length - text(end).length;
    return bool(at >= 0 && text(value).subarray(at).equals(text(end)));
  },
  substring: (value, start, end) => {
    return string(text(value).subarray(number(start), end === undefined ? undefined : number(end)));
  },
  remove_bytes: (value, bytes) =>
    string(Buffer.from(text(value).filter((byte) => !text(bytes).includes(byte)))),
  url_decode: (value, options) => string(decode(text(value).toString("latin1"), text(options).toString())),
  decode_base64: (value) => {
    const encoded = text(value).toString("latin1");
    const bytes = Buffer.from(encoded, "base64");
    const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(encoded) && encoded.replace(/=+$/, "").length % 4 !== 1;
    const isPadded = !encoded.includes("=") || encoded.length % 4 === 0;
    return isBase64 && isPadded ? string(bytes) : missing;
  },
  join: (values, separator) => {
    const parts = values?.t === "array" ? values.v.map(text) : [];
    return string(Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [text(separator), part]))));
  },
  has_key: (map, key) => bool(map?.t === "map" && map.v.has(text(key).toString("latin1"))),
  has_value: (of, value) => bool(allOf(of!).some((element) => orderOf(element, value!) === 0)),
  cidr: (address, four, six) => mask(address!, number(four), number(six)),
  cidr6: (address, six) => mask(address!, 32, number(six)),
  lookup_json_string: (source, ...path) => {
    const found = lookup(source!, path);
    return typeof found === "string" ? string(found) : missing;
  },
  lookup_json_integer: (source, ...path) => {
    const found = lookup(source!, path);
    return typeof found === "number" ? int(found) : missing;
  },
  is_timed_hmac_valid_v0: (key, value, lifetime, now, separator, flags) => {
    const isSafe = text(flags).includes("s");
    const pattern = isSafe ? /^([\s\S]*)([0-9]{10})-([\s\S]{43})$/ : /^([\s\S]*)([0-9]{10})-([^-]*)$/;
    const parts = pattern.exec(text(value).toString("latin1"));
    const [, head = "", time = "", code = ""] = parts ?? [];
    const end = head.length - number(separator);
    if (parts === null || end < 0 || number(separator) < 0) return bool(false);
    const signed = Buffer.from(head.slice(0, end) + time, "latin1");
    const expected = createHmac("sha256", text(key))
      .update(signed)
      .digest(isSafe ? "base64url" : "base64");
    const found = isSafe ? code : decode(code.replaceAll("+", "%2B"), "").toString("latin1");
    return bool(found === expected && number(now) < Number(time) + number(lifetime));
  },
};

function allOf(of: Model): readonly Model[] {
  if (of.t === "array") return of.v;
  return of.t === "map" ? [...of.v.values()].flatMap(allOf) : [];
}

/** Whole passes, until nothing changes for option `r`. */
function decode(value: string, options: string): Buffer {
  const pattern = options.includes("u") ? /%u([0-9a-f]{4})|%([0-9a-f]{2})/gi : /(?!)()|%([0-9a-f]{2})/gi;
  const decoded = value
    .replaceAll("+", " ")
    .replace(pattern, (_, wide: string | undefined, byte: string | undefined) =>
      wide === undefined
        ? String.fromCharCode(Number.parseInt(byte as string, 16))
        : Buffer.from(String.fromCharCode(Number.parseInt(wide, 16))).toString("latin1"),
    );
  if (options.includes("r") && decoded !== value) return decode(decoded, options);
  return Buffer.from(decoded, "latin1");
}

function mask(address: Model, four: number, six: number): Model {
  if (address.t !== "ip") throw new Error("not an address");
  const bytes = bytesOfAddress(address.v);
  const prefix = bytes.length === 4 ? four : six;
  if (prefix < 1 || prefix > bytes.length * 8) return missing;
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const masked = bits.slice(0, prefix).padEnd(bits.length, "0");
  const all = masked.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
  if (all.length === 4) return { t: "ip", v: all.join(".") };
  return { t: "ip", v: Buffer.from(all).toString("hex").match(/.{4}/g)!.join(":") };
}

/** The documents of the tests have integers that are exact, fractions other than `.0`, and no name twice. */
function lookup(source: Model, path: readonly Model[]): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text(source).toString());
  } catch {
    return undefined;
  }
  for (const key of path) {
    const isMember = key.t === "string";
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isMember ? !isObject : !Array.isArray(value)) return undefined;
    const name = isMember ? key.v.toString() : String(number(key));
    value = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return typeof value === "number" && !Number.isInteger(value) ? undefined : value;
}
