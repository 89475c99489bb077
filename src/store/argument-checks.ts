/**
 * Checks that every adapter makes before it reads its data, so that the memory store reports the same mistakes as the
 * others: unknown collections, undeclared fields, values of another kind than declared.
 */
import {
  aFunction,
  anyValue,
  arrayOf,
  aString,
  aUint8Array,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../core/arguments.ts";
import { quote } from "../errors.ts";
import type { Definitions, FieldKind, PlainDefinition, StoredRecord } from "./definition.ts";
import type { BlobStore, FieldValue, ReadOptions, WriteOptions } from "./port.ts";

/** A condition of the port for any collection. */
export interface PlainCondition {
  readonly field: string;
  readonly op: "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "in" | "contains";
  readonly value: FieldValue | readonly FieldValue[];
}

/** An order of the port for any collection. */
export interface PlainOrder {
  readonly field: string;
  readonly direction: "asc" | "desc";
}

/** A query of the port for any collection. */
export interface PlainQuery {
  readonly where?: readonly PlainCondition[];
  readonly order?: readonly PlainOrder[];
  readonly offset?: number;
  readonly limit?: number;
  readonly after?: readonly FieldValue[];
}

/** The definition of a collection. @throws {TypeError} when it is not declared */
export function definitionIn(definitions: Definitions, collection: string): PlainDefinition {
  const definition = definitions.get(collection);
  if (!definition) throw new TypeError(`the store has no collection ${quote(collection)}: declare it`);
  return definition;
}

/** The declared kind of a field, or of the id. @throws {TypeError} when the field is not declared */
export function kindOf(definition: PlainDefinition, field: string): FieldKind {
  if (field === "id") return "text";
  const kind = Object.hasOwn(definition.fields, field) ? definition.fields[field] : undefined;
  if (kind !== undefined) return kind;
  throw new TypeError(
    `${definition.name} has no declared field ${quote(field)}: declare it in its definition`,
  );
}

const typeNames: Record<FieldKind, string> = {
  text: "string",
  "text?": "string",
  number: "number",
  "number?": "number",
  boolean: "boolean",
};

/** The kinds as messages name them. */
const kindNames: Record<FieldKind, string> = {
  text: "a string",
  "text?": "a string or null",
  number: "a number",
  "number?": "a number or null",
  boolean: "a boolean",
};

function isOfKind(kind: FieldKind, value: unknown): boolean {
  return typeof value === typeNames[kind] && (typeof value !== "number" || Number.isFinite(value));
}

/** @throws {TypeError} when a declared field holds a value of another kind */
export function assertRecord(definition: PlainDefinition, record: StoredRecord): void {
  for (const member of ["scope", "id"] as const) {
    if (typeof record[member] !== "string")
      throw new TypeError(
        `${member} of a record of ${definition.name} must be a string; found ${quote(record[member])}`,
      );
  }
  for (const [field, kind] of Object.entries(definition.fields)) {
    const value = (record as unknown as Record<string, unknown>)[field] ?? null;
    if (!(value === null ? kind.endsWith("?") : isOfKind(kind, value)))
      throw new TypeError(
        `${field} of a record of ${definition.name} must be ${kindNames[kind]}; found ${quote(value)}`,
      );
  }
}

/** @throws {TypeError} when a condition names an undeclared field or a value of another kind */
export function assertWhere(definition: PlainDefinition, where: readonly PlainCondition[]): void {
  for (const { field, op, value } of where) {
    const kind = kindOf(definition, field);
    if (op === "contains" && !kind.startsWith("text"))
      throw new TypeError(`contains needs a string; ${field} of ${definition.name} is ${kindNames[kind]}`);
    for (const operand of op === "in" ? (value as readonly FieldValue[]) : [value]) {
      if (!(operand === null && op !== "contains") && !isOfKind(kind, operand))
        throw new TypeError(
          `${field} of ${definition.name} must be compared with ${kindNames[kind]}; found ${quote(operand)}`,
        );
    }
  }
}

/** @throws {TypeError} when the conditions, the order, the page or the position are invalid */
export function assertQuery(definition: PlainDefinition, query: PlainQuery): void {
  const { where = [], order = [], offset = 0, limit = 0, after } = query;
  assertWhere(definition, where);
  for (const { field } of order) {
    if (kindOf(definition, field).endsWith("?"))
      throw new TypeError(`${definition.name} cannot be ordered by ${field}: its values can be null`);
  }
  if (after && after.length !== order.length + 1)
    throw new TypeError(
      `\`after\` must hold ${order.length + 1} values, those of the order's fields and then the id; found ${after.length}`,
    );
  const kinds = [...order.map((o) => kindOf(definition, o.field)), "text" as const];
  if (after && !kinds.every((kind, i) => isOfKind(kind, after[i])))
    throw new TypeError(
      `\`after\` must hold ${kinds.map((kind) => kindNames[kind]).join(", ")}; found ${after.map(quote).join(", ")}`,
    );
  assertInteger("offset", offset, 0);
  assertInteger("limit", limit, 0);
}

/** @throws {TypeError} when the values of a field can be null, or the field is not declared */
export function assertDistinct(definition: PlainDefinition, field: string): void {
  if (kindOf(definition, field).endsWith("?"))
    throw new TypeError(
      `distinct values of ${field} of ${definition.name} cannot be counted: they can be null`,
    );
}

/** @throws {TypeError} when changes by a field are not counted, or a value is of another kind */
export function assertCounter(
  definition: PlainDefinition,
  field: string,
  values: readonly FieldValue[],
): void {
  if (!definition.changeCounters.includes(field))
    throw new TypeError(
      `changes of ${definition.name} by ${field} are not counted: name it in \`changeCounters\``,
    );
  assertWhere(definition, [{ field, op: "in", value: values }]);
}

function assertInteger(name: string, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min)
    throw new TypeError(`\`${name}\` must be an integer from ${min}; found ${quote(value)}`);
}

/** @throws {TypeError} when the limit of a page is not an integer from 0 */
export function assertPage({ limit = 0 }: { readonly limit?: number }): void {
  assertInteger("limit", limit, 0);
}

/** @throws {TypeError} when the count of numbers is not an integer from 1 */
export function assertSequenceCount(count: number): void {
  assertInteger("count", count, 1);
}

/** @throws {TypeError} */
export function assertClaimCount(count: number): void {
  assertInteger("count", count, 1);
}

/** @throws {TypeError} */
export function assertGrace(graceMs: number): void {
  assertInteger("graceMs", graceMs, 0);
}

/** How often each key is in a list. */
export function countKeys(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const transactionOptions = {
  read: optionsOf<ReadOptions>("read", { flat: anyValue, long: anyValue }),
  write: optionsOf<WriteOptions>("write", { flat: anyValue, queue: anyValue }),
};

/** @throws {TypeError} when the work of a transaction is not a function, or its options are not an object */
export function assertWork(work: unknown, options: unknown, kind: keyof typeof transactionOptions): void {
  requireArgument("work", work, aFunction);
  if (options !== undefined) requireArgument("options", options, transactionOptions[kind]);
}

type PlainBlobs = Pick<BlobStore, "put" | "get" | "getMany" | "delete" | "keys">;

/** The same blobs, with checks of all arguments. */
export function withCheckedArguments(blobs: PlainBlobs): PlainBlobs {
  return {
    put: async (key, bytes) => {
      requireArguments({ key: [key, aString], bytes: [bytes, aUint8Array] });
      return blobs.put(key, bytes);
    },
    get: async (key) => {
      requireArgument("key", key, aString);
      return blobs.get(key);
    },
    getMany: async (keys) => {
      requireArgument("keys", keys, arrayOf(aString));
      return blobs.getMany(keys);
    },
    delete: async (key) => {
      requireArgument("key", key, aString);
      return blobs.delete(key);
    },
    keys: async function* (prefix = "") {
      requireArgument("prefix", prefix, aString);
      yield* blobs.keys(prefix);
    },
  };
}
