/**
 * Compiles the values of custom rules to closures. A field, an element or a call has one slot in all expressions of a
 * program and is computed at most once for a request. A value is missing, or unknown where the test did not say it.
 */

import { type CustomField, customFields, type ReadFieldName, readFields } from "../language/custom-fields.ts";
import { entryOfFunction } from "../language/custom-functions.ts";
import { isMapType, type MapValue, missing, unknown } from "../language/custom-types.ts";
import { printValue } from "./print.ts";
import type { CallValue, CustomLiteral, CustomValue } from "./tree.ts";
import { appliedFunctions } from "./values/apply.ts";
import { ownName } from "./values/given.ts";
import type { CompiledList } from "./values/lists.ts";
import { type CustomValues, fieldReaders, readJson } from "./values/request-values.ts";

/** Reads a value. */
export type Read = (values: CustomValues) => unknown;

/** The names that the expressions of a zone can refer to. */
export interface CustomScope {
  /** The ids of the token configurations. */
  readonly configurations: ReadonlySet<string>;
  /** The lists by name. */
  readonly lists: ReadonlyMap<string, CompiledList>;
}

/** The expressions of a zone: they share slots. */
export interface CustomProgram extends CustomScope {
  readonly slots: Map<string, Read>;
  /** The number of slots. */
  readonly size: number;
}

/** Creates the program of a zone. All of its expressions are compiled before the first request is read. */
export function createProgram({ configurations, lists }: CustomScope): CustomProgram {
  const slots = new Map<string, Read>();
  return {
    configurations,
    lists,
    slots,
    get size() {
      return slots.size;
    },
  };
}

/** Compiles a value that is not `isEach`. */
export function compileValue(program: CustomProgram, value: CustomValue | CustomLiteral): Read {
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
function keyOf(value: CustomValue): string {
  const field = value.kind === "field" ? customFields.get(value.name) : undefined;
  return field === undefined ? printValue(value) : ownName(field);
}

function keep({ slots }: CustomValues, slot: number, value: unknown): unknown {
  slots[slot] = value;
  return value;
}

function compileComputation(program: CustomProgram, value: CustomValue): Read {
  switch (value.kind) {
    case "field":
      return compileField(program, value.name);
    case "index":
      return compileIndex(program, value.of, value.key);
    case "call":
      return compileCall(program, value);
    case "each":
      throw new RangeError("A value with `[*]` is read as a stream.");
  }
}

/** Compiles the reading of a field by its name, in a program or alone. */
function compileField(program: CustomProgram, name: string): Read {
  const field = customFields.get(name);
  if (field === undefined) throw new RangeError(`There is no field ${name}.`);
  const read = compilePart(program, field);
  const own = ownName(field);
  if (field.source === "claims") return read;
  return (values) => {
    const { fields } = values.given;
    return fields.size > 0 && fields.has(own) ? fields.get(own) : read(values);
  };
}

function compilePart(program: CustomProgram, field: CustomField): Read {
  const { part, base } = field;
  if (part === undefined) return compileBase(field);
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

function compileBase({ base, source, type }: CustomField): Read {
  if (Object.hasOwn(readFields, base)) return fieldReaders[base as ReadFieldName];
  const value = source === "constant" ? constants[type as keyof typeof constants] : unknown;
  return () => value;
}

function compileIndex(program: CustomProgram, of: CustomValue, key: string | number): Read {
  const read = compileValue(program, of);
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
export function compileStream(program: CustomProgram, value: CustomValue): Read {
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

function compileEach(program: CustomProgram, of: CustomValue): Read {
  const read = compileValue(program, of);
  if (!isMapType(of.type)) return read;
  return (values) => {
    const map = read(values);
    return map === missing || map === unknown ? map : (map as MapValue).lists();
  };
}

function compileCall(program: CustomProgram, { name, args }: CallValue): Read {
  const [first, ...rest] = args as [CustomValue, ...CustomValue[]];
  const others = rest.map((one) => compileValue(program, one));
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
function compileApply(name: CallValue["name"]): (args: readonly unknown[], values: CustomValues) => unknown {
  const apply = appliedFunctions[name];
  const skipsMissing = entryOfFunction(name).missing === "own";
  return (args, values) => {
    if (!skipsMissing && args.includes(missing)) return missing;
    if (!skipsMissing && args.includes(unknown)) return unknown;
    return apply(args, (bytes) => readJson(values, bytes));
  };
}

/** The fields and functions in a value that can be unknown, by name. */
export function unknownSources(value: CustomValue | CustomLiteral): readonly string[] {
  switch (value.kind) {
    case "literal":
      return [];
    case "field": {
      const field = customFields.get(value.name);
      const isKnown = field === undefined || !["ip", "body", "given"].includes(field.source);
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
