/**
 * What every adapter refuses before it looks at its data, so that a mistake shows on the memory store already:
 * unknown collections, fields that are not declared, values of another kind than declared.
 */
import { quote } from "../errors.ts";
import type { Definitions, FieldKind, PlainDefinition, StoredRecord } from "./definition.ts";
import type { FieldValue } from "./port.ts";

/** A condition of the port, whatever its collection. */
export interface PlainCondition {
  readonly field: string;
  readonly op: "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "in" | "contains";
  readonly value: FieldValue | readonly FieldValue[];
}

/** An order of the port, whatever its collection. */
export interface PlainOrder {
  readonly field: string;
  readonly direction: "asc" | "desc";
}

/** A query of the port, whatever its collection. */
export interface PlainQuery {
  readonly where?: readonly PlainCondition[];
  readonly order?: readonly PlainOrder[];
  readonly offset?: number;
  readonly limit?: number;
  readonly after?: readonly FieldValue[];
}

/** @throws {TypeError} when there is no such collection */
export function definitionIn(definitions: Definitions, collection: string): PlainDefinition {
  const definition = definitions.get(collection);
  if (!definition) throw new TypeError(`there is no collection ${quote(collection)}: declare it`);
  return definition;
}

/** The declared kind of a field, or of the id. @throws {TypeError} when the field is not declared */
export function kindOf(definition: PlainDefinition, field: string): FieldKind {
  if (field === "id") return "text";
  if (Object.hasOwn(definition.fields, field)) return definition.fields[field]!;
  throw new TypeError(
    `${definition.name} has no field ${quote(field)} to ask for: declare it in its definition`,
  );
}

const typeNames: Record<FieldKind, string> = {
  text: "string",
  "text?": "string",
  number: "number",
  "number?": "number",
  boolean: "boolean",
};

function isOfKind(kind: FieldKind, value: unknown): boolean {
  return typeof value === typeNames[kind] && (typeof value !== "number" || Number.isFinite(value));
}

/** @throws {TypeError} when a declared field holds something else than declared */
export function assertRecord(definition: PlainDefinition, record: StoredRecord): void {
  for (const member of ["scope", "id"] as const) {
    if (typeof record[member] !== "string")
      throw new TypeError(`a record of ${definition.name} has no text in ${member}`);
  }
  for (const [field, kind] of Object.entries(definition.fields)) {
    const value = (record as unknown as Record<string, unknown>)[field] ?? null;
    if (!(value === null ? kind.endsWith("?") : isOfKind(kind, value)))
      throw new TypeError(
        `${field} of a record of ${definition.name} is declared as ${kind} and cannot be ${quote(value)}`,
      );
  }
}

/** @throws {TypeError} when a condition names an undeclared field or a value of another kind */
export function assertWhere(definition: PlainDefinition, where: readonly PlainCondition[]): void {
  for (const { field, op, value } of where) {
    const kind = kindOf(definition, field);
    if (op === "contains" && !kind.startsWith("text"))
      throw new TypeError(`${field} of ${definition.name} is no text that could contain something`);
    for (const one of op === "in" ? (value as readonly FieldValue[]) : [value]) {
      if (!(one === null && op !== "contains") && !isOfKind(kind, one))
        throw new TypeError(
          `${field} of ${definition.name} is declared as ${kind} and cannot be compared with ${quote(one)}`,
        );
    }
  }
}

/** @throws {TypeError} when the order, the page or the place to go on from cannot be meant */
export function assertQuery(definition: PlainDefinition, query: PlainQuery): void {
  const { where = [], order = [], offset = 0, limit = 0, after } = query;
  assertWhere(definition, where);
  for (const { field } of order) {
    if (kindOf(definition, field).endsWith("?"))
      throw new TypeError(`${definition.name} cannot be ordered by ${field}, which may be null`);
  }
  if (after && after.length !== order.length + 1)
    throw new TypeError("`after` holds the values of the order's fields, and then the id");
  const kinds = [...order.map((o) => kindOf(definition, o.field)), "text" as const];
  if (after && !kinds.every((kind, i) => isOfKind(kind, after[i])))
    throw new TypeError(`\`after\` holds values of other kinds than ${kinds.join(", ")}`);
  for (const number of [offset, limit]) assertCount(number);
}

function assertCount(number: number): void {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new TypeError(`offset and limit are integers from 0, not ${quote(number)}`);
}

/** @throws {TypeError} when the limit of a page is none */
export function assertPage({ limit = 0 }: { readonly limit?: number }): void {
  assertCount(limit);
}

/** @throws {TypeError} when `count` numbers cannot be taken */
export function assertSequenceCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new TypeError(`a sequence gives 1 number or more, not ${quote(count)}`);
}
