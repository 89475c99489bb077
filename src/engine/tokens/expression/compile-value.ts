/**
 * Compiles values to closures. A field, an element or a call has one slot in all expressions of a
 * program and is computed at most once for a request. A value is missing, or unknown where the test did not say it.
 */

import { noFacts, type ZoneFacts } from "../rulesets/input/zone-facts.ts";
import { readHeader } from "../zone/request.ts";
import { propertyName } from "./field.ts";
import { type KnownField, knownFields, type ReadFieldName, readFields } from "./language/fields.ts";
import { entryOfFunction, isEvaluated, isTokenTest } from "./language/functions.ts";
import { isMapType, type MapValue, missing, unknown } from "./language/types.ts";
import { printValue } from "./printer.ts";
import type { CallValue, IndexValue, Literal, Value } from "./tree.ts";
import { appliedFunctions } from "./values/apply.ts";
import { toBytes } from "./values/bytes.ts";
import { ownName } from "./values/given.ts";
import type { CompiledList } from "./values/lists.ts";
import { fieldReaders, type RequestValues, readJson } from "./values/request-values.ts";

/** Reads a value. */
export type Read = (values: RequestValues) => unknown;

/** The names that the expressions of a zone can refer to. */
export interface Scope {
  /** The ids of the token configurations. */
  readonly configurations: ReadonlySet<string>;
  /** The lists by name. */
  readonly lists: ReadonlyMap<string, CompiledList>;
  /** The name and the plan of the zone, as far as it has them. */
  readonly zone?: ZoneFacts;
}

/** The expressions of a zone: they share slots. */
export interface Program extends Required<Scope> {
  readonly slots: Map<string, Read>;
  /** The number of slots. */
  readonly size: number;
}

/** Creates the program of a zone. All of its expressions are compiled before the first request is read. */
export function createProgram({ configurations, lists, zone = noFacts }: Scope): Program {
  const slots = new Map<string, Read>();
  return {
    configurations,
    lists,
    zone,
    slots,
    get size() {
      return slots.size;
    },
  };
}

/** A program of expressions that name nothing. */
export function createPlainProgram(): Program {
  return createProgram({ configurations: new Set(), lists: new Map() });
}

/** A program that shares what it reads of a request with another one, which has other lists. */
export function withLists(program: Program, lists: Scope["lists"]): Program {
  const { configurations, zone, slots } = program;
  return { configurations, lists, zone, slots, size: slots.size };
}

/** Compiles a value that is not `isEach`. */
export function compileValue(program: Program, value: Value | Literal): Read {
  if (value.kind === "literal") {
    const { value: literal } = value;
    return () => literal;
  }
  const key = keyOf(value);
  const known = program.slots.get(key);
  if (known !== undefined) return known;
  const compute = compileComputation(program, value);
  const slot = program.slots.size;
  const readOnce: Read = (values) => {
    const found = values.slots[slot];
    return found === undefined ? keep(values, slot, compute(values)) : found;
  };
  program.slots.set(key, readOnce);
  return readOnce;
}

/** The name of a slot: aliases share it. */
function keyOf(value: Value): string {
  const field = value.kind === "field" ? knownFields.get(value.name) : undefined;
  return field === undefined ? printValue(value) : ownName(field);
}

function keep({ slots }: RequestValues, slot: number, value: unknown): unknown {
  slots[slot] = value;
  return value;
}

function compileComputation(program: Program, value: Value): Read {
  switch (value.kind) {
    case "field":
      return compileField(program, value.name);
    case "index":
      return compileHeader(program, value) ?? compileIndex(program, value.of, value.key);
    case "call":
      return compileCall(program, value);
    case "each":
      throw new RangeError("A value with `[*]` is read as a stream.");
  }
}

/** Compiles the reading of a field by its name, in a program or alone. */
function compileField(program: Program, name: string): Read {
  const field = knownFields.get(name);
  if (field === undefined) throw new RangeError(`There is no field ${name}.`);
  const read = compilePart(program, field);
  const own = ownName(field);
  if (field.source === "claims") return read;
  return (values) => {
    const { fields } = values.given;
    return fields.size > 0 && fields.has(own) ? fields.get(own) : read(values);
  };
}

function compilePart(program: Program, field: KnownField): Read {
  const { part, base } = field;
  if (part === undefined) return compileBase(program, field);
  const map = compileValue(program, {
    kind: "field",
    name: base,
    type: "Map<Array<String>>",
    isEach: false,
    span: { start: 0, end: 0 },
  });
  return (values) => {
    const found = map(values);
    if (found === unknown) return unknown;
    return part === "names" ? (found as MapValue).names() : (found as MapValue).lists().flat();
  };
}

const constants = { Bool: false, Int: 0, String: "" } as const;

function compileBase({ zone }: Program, { base, source, type }: KnownField): Read {
  if (Object.hasOwn(readFields, base)) return fieldReaders[base as ReadFieldName];
  const ofZone = zone[base as keyof ZoneFacts] ?? unknown;
  const value = source === "constant" ? constants[type as keyof typeof constants] : ofZone;
  return () => value;
}

/** One header by its position, without the list of its values; undefined for another value. */
function compileHeader(program: Program, { of, key: position }: IndexValue): Read | undefined {
  if (of.kind !== "index" || of.of.kind !== "field" || of.of.name !== "http.request.headers")
    return undefined;
  // A name with capital letters is always missing, which the list knows.
  if (typeof of.key !== "string" || /[A-Z]/.test(of.key) || typeof position !== "number") return undefined;
  const name = propertyName(of.key);
  const ofGiven = compileIndex(program, of, position);
  return (values) => {
    if (values.given.fields.size > 0) return ofGiven(values);
    const value = readHeader(values.reader.headers, name, position);
    return value === undefined ? missing : toBytes(value);
  };
}

function compileIndex(program: Program, of: Value, written: string | number): Read {
  const read = compileValue(program, of);
  // Names of headers are found by identity.
  const key = typeof written === "string" ? propertyName(written) : written;
  return (values) => {
    const collection = read(values);
    if (collection === missing || collection === unknown) return collection;
    return elementOf(collection as MapValue | readonly unknown[], key);
  };
}

function elementOf(collection: MapValue | readonly unknown[], key: string | number): unknown {
  const element =
    typeof key === "number" ? (collection as readonly unknown[])[key] : (collection as MapValue).get(key);
  return element ?? missing;
}

/** Compiles a value that `isEach`: an array, missing or unknown. */
export function compileStream(program: Program, value: Value): Read {
  if (value.kind === "each")
    return value.of.isEach ? flatten(compileStream(program, value.of)) : compileEach(program, value.of);
  if (value.kind !== "index") throw new RangeError("Only `[*]` and an index after it are streams.");
  const { key } = value;
  const stream = compileStream(program, value.of);
  return (values) => {
    const elements = stream(values);
    if (elements === missing || elements === unknown) return elements;
    return (elements as readonly (readonly unknown[])[])
      .map((element) => elementOf(element, key))
      .filter((element) => element !== missing);
  };
}

/** All elements of the arrays of a stream, in their order. */
function flatten(stream: Read): Read {
  return (values) => {
    const arrays = stream(values);
    return arrays === missing || arrays === unknown ? arrays : (arrays as readonly unknown[]).flat();
  };
}

function compileEach(program: Program, of: Value): Read {
  const read = compileValue(program, of);
  if (!isMapType(of.type)) return read;
  return (values) => {
    const map = read(values);
    return map === missing || map === unknown ? map : (map as MapValue).lists();
  };
}

function compileCall(program: Program, { name, args }: CallValue): Read {
  const [first, ...rest] = args as [Value, ...Value[]];
  const others = rest.map((arg) => compileValue(program, arg));
  const apply = compileApply(name);
  if (!first.isEach) {
    const reads = [compileValue(program, first), ...others];
    return (values) =>
      apply(
        reads.map((read) => read(values)),
        values,
      );
  }
  const stream = compileStream(program, first);
  return (values) => {
    const elements = stream(values);
    if (elements === missing || elements === unknown) return elements;
    const more = others.map((read) => read(values));
    const results = (elements as readonly unknown[]).map((element) => apply([element, ...more], values));
    return results.includes(unknown) ? unknown : results.filter((result) => result !== missing);
  };
}

/** A function with the rules about missing and unknown arguments: missing ones decide. */
function compileApply(name: CallValue["name"]): (args: readonly unknown[], values: RequestValues) => unknown {
  if (isTokenTest(name) || !isEvaluated(name)) throw new RangeError(`${name} is not a value.`);
  const apply = appliedFunctions[name];
  const skipsMissing = entryOfFunction(name).missing === "own";
  return (args, values) => {
    if (!skipsMissing && args.includes(missing)) return missing;
    if (!skipsMissing && args.includes(unknown)) return unknown;
    return apply(args, (bytes) => readJson(values, bytes));
  };
}

/** The fields and functions in a value that can be unknown, by name. */
export function unknownSources(value: Value | Literal): readonly string[] {
  switch (value.kind) {
    case "literal":
      return [];
    case "field": {
      const field = knownFields.get(value.name);
      const isKnown = field === undefined || !["ip", "body", "zone", "given"].includes(field.source);
      return isKnown ? [] : [value.name];
    }
    case "call": {
      const own = value.name === "hash_in_range" ? [value.name] : [];
      return [...own, ...value.args.flatMap(unknownSources)];
    }
    default:
      return unknownSources(value.of);
  }
}
