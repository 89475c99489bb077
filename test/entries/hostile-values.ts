/** Hostile arguments: values of every kind in the place of an argument, or of one member of it. */

import { opaque } from "./valid-calls.ts";

/** The numbers of a run, from a seed and the number of a call (mulberry32). */
export function createRandom(seed: number, call: number): (below: number) => number {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(call, 0xc2b2ae35)) | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof createRandom>;

const long = "x".repeat(100_000);

function cyclic(): unknown {
  const object: Record<string, unknown> = { a: 1 };
  object["self"] = object;
  object["list"] = [object];
  return object;
}

/** Made for each call: a function may keep or change what it is given. */
export const hostileValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  "0": () => 0,
  "-1": () => -1,
  "1.5": () => 1.5,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  "1e308": () => 1e308,
  "2 ** 53": () => 2 ** 53,
  "10n": () => 10n,
  'Symbol("s")': () => Symbol("s"),
  '""': () => "",
  '"text"': () => "text",
  '"__proto__"': () => "__proto__",
  '"constructor"': () => "constructor",
  '"\\ud800"': () => "\ud800",
  '"\\0"': () => "\0",
  '"x".repeat(100_000)': () => long,
  '"(".repeat(100_000)': () => "(".repeat(100_000),
  "{}": () => ({}),
  "[]": () => [],
  "[null]": () => [null],
  "[undefined]": () => [undefined],
  "[[]]": () => [[]],
  "[{}]": () => [{}],
  '["text"]': () => ["text"],
  // biome-ignore lint/suspicious/noSparseArray: a hole is the point
  "[, 1]": () => [, 1],
  "new Array(3)": () => new Array(3),
  "{ length: 1e9 }": () => ({ length: 1e9 }),
  '{ length: -1, 0: "a" }': () => ({ length: -1, 0: "a" }),
  "Object.create(null)": () => Object.create(null),
  'JSON.parse(\'{"__proto__":{"a":1}}\')': () => JSON.parse('{"__proto__":{"a":1}}'),
  "an object that contains itself": cyclic,
  "() => 1": () => () => 1,
  "async () => null": () => async () => null,
  "class {}": () => class {},
  "new Date(NaN)": () => new Date(Number.NaN),
  "new Map()": () => new Map([["a", 1]]),
  "new Set()": () => new Set(["a"]),
  "new Uint8Array(3)": () => new Uint8Array(3),
  "new Uint8Array(0)": () => new Uint8Array(0),
  "new DataView": () => new DataView(new ArrayBuffer(4)),
  "Promise.resolve()": () => Promise.resolve(),
  "/a/": () => /a/,
  "new Error()": () => new Error("an error"),
  "a proxy of an object": () => new Proxy({}, {}),
};

const names = Object.keys(hostileValues);

/** Arguments, and how they differ from valid ones. */
export interface HostileCall {
  readonly args: readonly unknown[];
  readonly change: string;
}

type Path = readonly (string | number)[];

/** Valid arguments with one change: each value in the place of each argument, and of each member of it. */
export function singleChanges(valid: readonly unknown[], positions: number): readonly (() => HostileCall)[] {
  // An argument with a default is not counted.
  const count = Math.max(positions, valid.length === 0 ? 1 : 0);
  const missing = Array.from({ length: Math.max(0, count - valid.length) }, (_, i) => [valid.length + i]);
  const paths: readonly Path[] = [...valid.flatMap((value, i) => pathsOf(value, [i], 0)), ...missing];
  return paths.flatMap((path) =>
    names.map((name) => () => ({
      args: replaceAt(valid, path, hostileValues[name]!()) as unknown[],
      change: `${path.map((key) => `[${JSON.stringify(key)}]`).join("")} = ${name}`,
    })),
  );
}

/** Hostile values in every position. */
export function allHostile(random: Random, positions: number): HostileCall {
  const chosen = Array.from({ length: random(positions + 1) }, () => names[random(names.length)]!);
  return { args: chosen.map((name) => hostileValues[name]!()), change: `(${chosen.join(", ")})` };
}

/** Maximum depth of a change. */
const maxDepth = 8;

/** Places in plain objects and arrays: those of other classes cannot be copied. */
function pathsOf(value: unknown, path: Path, depth: number): readonly Path[] {
  if (depth === maxDepth || opaque.has(value) || !isPlain(value)) return [path];
  return [
    path,
    ...Object.keys(value).flatMap((key) => pathsOf((value as never)[key], [...path, key], depth + 1)),
  ];
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function replaceAt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: unknown = Array.isArray(value) ? [...value] : { ...(value as object) };
  Object.defineProperty(copy, key, {
    value: replaceAt((value as never)[key], rest, by),
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return copy;
}
