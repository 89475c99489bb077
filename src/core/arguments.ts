/**
 * Checks of the arguments of public functions, for callers without types. An argument is checked where it enters: its own kind,
 * and those of the members that the function reads. Functions that return diagnostics of an input have no check of it here.
 */
import { profiles } from "./profiles.ts";
import { didYouMean } from "./suggest.ts";
import { alternatives, quote } from "./text/quote.ts";

/** A kind of allowed arguments. */
export interface Kind {
  /** The allowed values in a message, such as "a string". */
  readonly allowed: string;
  /** The first fault of a value; undefined for a valid one. */
  faultOf(value: unknown, depth: number): BadValue | undefined;
}

interface BadValue {
  /** From the argument to the value, such as `[0].name`; names are made only for faults. */
  readonly path: string;
  readonly allowed: string;
  readonly found: unknown;
  /** Whether the value has the right type, but is out of bounds. */
  readonly isRange?: boolean;
  /** The message, for a member that must not exist. */
  readonly message?: string;
}

/** Maximum length of the path in a message. */
const maxPath = 80;

/**
 * Checks an argument.
 *
 * @param name how the message names it
 * @throws {TypeError} for a value of another type
 * @throws {RangeError} for a number that is out of bounds
 */
export function requireArgument(name: string, value: unknown, kind: Kind): void {
  const bad = kind.faultOf(value, 0);
  if (bad === undefined) return;
  const path = bad.path.length > maxPath ? `${bad.path.slice(0, maxPath)}...` : bad.path;
  if (bad.message !== undefined)
    throw new TypeError(path === "" ? bad.message : `\`${name}${path}\`: ${bad.message}`);
  const message = `\`${name}${path}\` must be ${bad.allowed}; found ${quote(bad.found)}`;
  throw bad.isRange ? new RangeError(message) : new TypeError(message);
}

/** Checks several arguments: each with its kind, by name. @throws {TypeError} @throws {RangeError} */
export function requireArguments(
  args: Readonly<Record<string, readonly [value: unknown, kind: Kind]>>,
): void {
  for (const [name, [value, kind]] of Object.entries(args)) requireArgument(name, value, kind);
}

function simple(allowed: string, accepts: (value: unknown) => boolean): Kind {
  return {
    allowed,
    faultOf: (found) => (accepts(found) ? undefined : { path: "", allowed, found }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A string of any length. */
export const aString = simple("a string", (value) => typeof value === "string");
/** An absolute URL. */
export const aUrl = simple("an absolute URL", (value) => typeof value === "string" && URL.canParse(value));
/** True or false. */
export const aBoolean = simple("a boolean", (value) => typeof value === "boolean");
/** A number other than NaN and the infinite ones. */
export const aNumber = simple("a finite number", (value) => Number.isFinite(value));
/** An integer of any size. */
export const aBigint = simple("a bigint", (value) => typeof value === "bigint");
/** A function; not a class, which cannot be called. */
export const aFunction = simple(
  "a function",
  // Only that of a class is not writable.
  (value) =>
    typeof value === "function" && Object.getOwnPropertyDescriptor(value, "prototype")?.writable !== false,
);
/** A Uint8Array, and so a Buffer. */
export const aUint8Array = simple("a Uint8Array", (value) => value instanceof Uint8Array);
/** An object that `for` can read: a string is one value, not a list of its characters. */
export const anIterable = simple(
  "an iterable",
  (value) => isObject(value) && typeof Reflect.get(value, Symbol.iterator) === "function",
);
/** An iterable or an async one, such as a stream. */
export const anyIterable = simple("an iterable or an async iterable", (value) => {
  if (!isObject(value)) return false;
  return [Symbol.iterator, Symbol.asyncIterator].some(
    (name) => typeof Reflect.get(value, name) === "function",
  );
});
/** Any value, for members that are checked where they are used. */
export const anyValue = simple("a value", () => true);
/** Any object, for members that are read with checks of their own. */
export const anyObject = simple("an object", isObject);

/** A value of a class. @param allowed the value in a message, such as "a Request" */
export function instanceOf(allowed: string, type: abstract new (...args: never[]) => unknown): Kind {
  return simple(allowed, (value) => value instanceof type);
}

/** A value that a function has made: another one has other members, or none. */
export function madeBy(source: string, made: WeakSet<object>): Kind {
  return simple(`what ${source} returned`, (value) => isObject(value) && made.has(value));
}

/** An integer within bounds. */
export function integerFrom(min: number, max = Number.MAX_SAFE_INTEGER): Kind {
  const allowed =
    max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
  return {
    allowed,
    faultOf: (found) => {
      if (Number.isSafeInteger(found) && (found as number) >= min && (found as number) <= max)
        return undefined;
      return { path: "", allowed, found, isRange: typeof found === "number" };
    },
  };
}

/** One of a few values. */
export function oneOf(...values: readonly unknown[]): Kind {
  return simple(alternatives(values.map(quote)), (value) => values.includes(value));
}

/** A kind, or a missing value. */
export function optional(kind: Kind): Kind {
  return {
    allowed: kind.allowed,
    faultOf: (value, depth) => (value === undefined ? undefined : kind.faultOf(value, depth)),
  };
}

/** One of several kinds; the fault of an object is that of the last kind, which can have members. */
export function either(...kinds: readonly Kind[]): Kind {
  const allowed = alternatives(kinds.map((kind) => kind.allowed));
  return {
    allowed,
    faultOf: (found, depth) => {
      // Each kind is asked once: a value that contains itself would double the work at every level.
      let last: BadValue | undefined;
      for (const kind of kinds) {
        last = kind.faultOf(found, depth);
        if (last === undefined) return undefined;
      }
      return isObject(found) ? last : { path: "", allowed, found };
    },
  };
}

/** Maximum depth of a value: one that contains itself has no other end. */
const maxDepth = 200;

function tooDeep(found: unknown): BadValue {
  return { path: "", allowed: `at most ${maxDepth} levels deep`, found };
}

/** The first fault of the members of an object. */
function faultOfMembers(
  found: object,
  depth: number,
  members: readonly (readonly [name: string, kind: Kind])[],
): BadValue | undefined {
  if (depth > maxDepth) return tooDeep(found);
  for (const [name, kind] of members) {
    const bad = kind.faultOf(Reflect.get(found, name), depth + 1);
    if (bad) return { ...bad, path: `.${name}${bad.path}` };
  }
  return undefined;
}

/** An array of one kind of elements; a hole is a missing one. */
export function arrayOf(kind: Kind, min = 0): Kind {
  const allowed = min > 0 ? `an array of at least ${min}` : "an array";
  return {
    allowed,
    faultOf: (found, depth) => {
      if (!Array.isArray(found) || found.length < min) return { path: "", allowed, found };
      if (depth > maxDepth) return tooDeep(found);
      for (let i = 0; i < found.length; i++) {
        const bad = kind.faultOf(found[i], depth + 1);
        if (bad) return { ...bad, path: `[${i}]${bad.path}` };
      }
      return undefined;
    },
  };
}

/** A pair of strings, such as the name and the value of a field. */
export const aPair: Kind = arrayOf(aString, 2);

/** The values of an iterable, each of one kind; it is read once. @throws {TypeError} @throws {RangeError} */
export function requireEach<T>(name: string, values: Iterable<T>, kind: Kind): readonly T[] {
  requireArgument(name, values, anIterable);
  const list = [...values];
  requireArgument(name, list, arrayOf(kind));
  return list;
}

/** An object with the given members; others are not read. */
export function objectWith(members: Readonly<Record<string, Kind>>): Kind {
  const entries = Object.entries(members);
  return {
    allowed: "an object",
    faultOf: (found, depth) =>
      isObject(found) ? faultOfMembers(found, depth, entries) : { path: "", allowed: "an object", found },
  };
}

/** A kind for each member of a type, optional ones included: the compiler finds a missing name, and one too many. */
export type KindsOf<T> = Readonly<Record<T extends unknown ? keyof T : never, Kind>>;

/** Names that every function accepts among its options: `{ ...profiles.provider }` can be passed to each. */
const profileNames: readonly string[] = Object.keys(profiles.spec);

/**
 * The options of a public function: an object with the given members and those of a profile, and no others. Members that are
 * `undefined` are ignored.
 *
 * @param owner the function in messages, such as "compileZone"
 */
export function optionsOf<T extends object>(owner: string, members: KindsOf<T>): Kind {
  return knownMembers(owner, members, profileNames);
}

/**
 * A group of options inside of others, such as `limits`: an object with the given members, and no others.
 *
 * @param noun what a member is
 */
export function optionGroup<T extends object>(name: string, members: KindsOf<T>, noun?: string): Kind {
  return knownMembers(name, members, [], noun);
}

/** The same kind for each member of a table. */
export function eachMember<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
  kind: Kind,
): Readonly<Record<Name, Kind>> {
  const entries = Object.keys(table).map((name) => [name, kind] as const);
  return Object.fromEntries(entries) as Record<Name, Kind>;
}

function knownMembers(
  owner: string,
  members: Readonly<Record<string, Kind>>,
  others: readonly string[],
  noun = "option",
): Kind {
  const object = objectWith(members);
  const own = Object.keys(members);
  const known = new Set([...own, ...others]);
  return {
    allowed: "an object",
    faultOf: (found, depth) => {
      for (const [name, value] of isObject(found) ? Object.entries(found) : []) {
        if (value === undefined || known.has(name)) continue;
        const nearest = didYouMean(name, own) || didYouMean(name, [...known]);
        const message = `${quote(name)} is not ${noun === "option" ? "an" : "a"} ${noun} of ${owner}${nearest || `; the ${noun}s are ${own.join(", ")}`}`;
        return { path: "", allowed: "an object", found, message };
      }
      return object.faultOf(found, depth);
    },
  };
}

/** An object whose members are all of one kind. */
export function recordOf(kind: Kind): Kind {
  return {
    allowed: "an object",
    faultOf: (found, depth) => {
      if (!isObject(found)) return { path: "", allowed: "an object", found };
      const members = Object.keys(found).map((name) => [name, kind] as const);
      return faultOfMembers(found, depth, members);
    },
  };
}

/** A kind that contains itself. */
export function recursive(make: () => Kind): Kind {
  let kind: Kind | undefined;
  return {
    allowed: "an object",
    faultOf: (value, depth) => {
      kind ??= make();
      return kind.faultOf(value, depth);
    },
  };
}

/** An object of one of several kinds, which a member names. */
export function unionBy(member: string, kinds: Readonly<Record<string, Kind>>): Kind {
  const tag = objectWith({ [member]: oneOf(...Object.keys(kinds)) });
  return {
    allowed: "an object",
    faultOf: (value, depth) =>
      tag.faultOf(value, depth) ?? kinds[String(Reflect.get(value as object, member))]?.faultOf(value, depth),
  };
}

const aScalar = simple(
  "a JSON value",
  (value) => value === undefined || value === null || /^(string|number|boolean)$/.test(typeof value),
);
const aJsonValue: Kind = recursive(() => either(aScalar, arrayOf(aJsonValue), aJsonObject));

/** An object that JSON can have: of no class, and without itself in it. */
export const aJsonObject: Kind = {
  allowed: "a JSON object",
  faultOf: (found, depth) => {
    const prototype = isObject(found) ? Object.getPrototypeOf(found) : undefined;
    if (prototype !== null && prototype !== Object.prototype)
      return { path: "", allowed: "a JSON object", found };
    return recordOf(aJsonValue).faultOf(found, depth);
  },
};
