/** The statements of one collection. Values travel as parameters only. */
import { sql } from "kysely";
import type { PlainCondition, PlainOrder } from "../../argument-checks.ts";
import type { PlainDefinition, StoredRecord } from "../../definition.ts";
import type { FieldValue } from "../../port.ts";
import type { SqlDialect, Statement } from "../engines/engine.ts";
import { indexedFields, recordColumn } from "../layout.ts";
import { conditionShape, conditionSql, type Operand, type Stretch, stretchSql } from "./conditions.ts";
import { type Columns, countedColumns } from "./counts.ts";
import { createShapes } from "./statement-cache.ts";
import { encodeText } from "./text.ts";

export interface Statements {
  get(scope: string, id: string): Statement;
  /** Inserts those that are free. At most `maxBatch` records. Like `delete`, gives the counted columns back. */
  insert(records: readonly StoredRecord[]): Statement;
  update(record: StoredRecord): Statement;
  delete(scope: string, id: string): Statement;
  /** Deletes some of those for which the conditions hold, `limit` at the most. */
  deleteSome(scope: string, where: readonly PlainCondition[], limit: number): Statement;
  /** Reads the counted columns of one record. */
  countedOf(scope: string, id: string): Statement;
  /** What a record has in its counted columns. */
  countedIn(record: StoredRecord): Columns;
  /** What conditions that equate counted fields ask for, as it is in the columns. */
  countedValues(scope: string, fields: readonly string[], where: readonly PlainCondition[]): Columns;
  /** Reads records of a part, in order. */
  records(scope: string, part: Part, offset: number, limit: number | undefined): Statement;
  /** Counts the rows of a part as `count`. */
  size(scope: string, part: Part): Statement;
  /** Reads the keys of the row that stands behind so many of a part, as they are in their columns. */
  place(scope: string, part: Part, offset: number): Statement;
  /** The values of an order's keys, as they are in their columns. */
  placeOf(keys: readonly PlainOrder[], values: readonly FieldValue[]): readonly unknown[];
  /** Finds the first record of the next scope behind this one, or of the first. */
  nextScope(after: string | undefined): Statement;
  /** Finds another record that holds this one's combination; undefined when a member is null. */
  holder(record: StoredRecord, fields: readonly string[]): Statement | undefined;
  /** How many records one insert takes. */
  readonly maxBatch: number;
}

/** Rows that stand side by side in an order, as one statement reads them. */
export interface Part {
  readonly where: readonly PlainCondition[];
  /** The order, with the id as its last word. */
  readonly keys: readonly PlainOrder[];
  /** Only what stands behind a place: the values of the keys, as they are in their columns. */
  readonly behind?: { readonly stretch: Stretch; readonly place: readonly unknown[] };
  /** Only the first so many rows. */
  readonly window?: number;
  /** Conditions on the rows of the window: what they let through does not count for it. */
  readonly filter?: readonly PlainCondition[];
}

/** An insert or a delete. */
interface Returning {
  compile(): Statement;
  returning(columns: string[]): { compile(): Statement };
}

type Members = Readonly<Record<string, FieldValue | undefined>>;

/** Rows of one insert: beyond this, longer statements win nothing. */
const maxRows = 500;

export function createStatements(definition: PlainDefinition, dialect: SqlDialect): Statements {
  const { name } = definition;
  const { builder } = dialect;
  const fieldNames = Object.keys(definition.fields);
  const columns = ["scope", "id", ...fieldNames, recordColumn];
  const counted = countedColumns(definition);
  const encode = columnEncoder(definition, dialect);
  const bind = createShapes();

  const memberOf = (record: StoredRecord, field: string): FieldValue =>
    (record as unknown as Members)[field] ?? null;
  const valuesOf = (record: StoredRecord): unknown[] => [
    encode("scope", record.scope),
    encode("id", record.id),
    ...fieldNames.map((field) => encode(field, memberOf(record, field))),
    JSON.stringify(record),
  ];
  const boundOf = ({ field, op, value }: PlainCondition): unknown => {
    if (op === "contains") return encodeText(value as string);
    if (op !== "in") return encode(field, value as FieldValue);
    const values = (value as readonly FieldValue[]).filter((one) => one !== null);
    return dialect.bindSet(values.map((one) => encode(field, one)));
  };

  /** The scope's first, then the conditions'. */
  const boundIn = (scope: string, where: readonly PlainCondition[]) => [
    encode("scope", scope),
    ...where.map(boundOf),
  ];
  const holds = (where: readonly PlainCondition[], operands: readonly Operand[]) =>
    where.map((condition, i) => conditionSql(dialect, condition, operands[i]!));
  const inScope = (where: readonly PlainCondition[], operands: readonly Operand[]) =>
    allOf([sql`${sql.ref("scope")} = ${operands[0]}`, ...holds(where, operands.slice(1))]);
  /** Asks for the counted columns of the rows that a statement changes. */
  const returning = (statement: Returning): { compile(): Statement } =>
    counted.length === 0 ? statement : statement.returning(counted);
  const shapeOf = (kind: string, where: readonly PlainCondition[], ...rest: unknown[]) =>
    JSON.stringify([kind, where.map(conditionShape), rest]);

  /** What a part binds, and where in its values each kind begins. */
  function valuesOfPart(scope: string, { where, behind, window, filter = [] }: Part) {
    const place = behind?.place ?? [];
    return [...boundIn(scope, where), ...place, window, ...filter.map(boundOf)];
  }

  /** The columns of a part's rows, before its filter. */
  function rowsOf(
    { where, keys, behind }: Part,
    columnNames: readonly string[],
    operands: readonly Operand[],
  ) {
    const place = operands.slice(where.length + 1, where.length + 1 + keys.length);
    const conditions = [
      inScope(where, operands),
      ...(behind ? [stretchSql(keys, behind.stretch, place)] : []),
    ];
    const rows = builder.selectFrom(name).select(columnNames).where(allOf(conditions));
    return inOrder(rows, nullsOf(where, keys));
  }

  type Rows = ReturnType<typeof rowsOf>;

  /** A part's rows as a table of their own, so that no more than its window is looked at. */
  function windowOf(part: Part, columnNames: readonly string[], operands: readonly Operand[]) {
    const { where, keys, behind, window, filter = [] } = part;
    const at = where.length + 1 + (behind ? keys.length : 0);
    const needed = new Set([...columnNames, ...keys.map((k) => k.field), ...filter.map((c) => c.field)]);
    const ordered = inOrder(rowsOf(part, [...needed], operands), keys);
    const rows = window === undefined ? ordered : ordered.limit(operands[at] as never);
    const from = builder.selectFrom(rows.as("part"));
    return filter.length === 0 ? from : from.where(allOf(holds(filter, operands.slice(at + 1))));
  }

  const partShape = ({ where, keys, behind, window, filter = [] }: Part) => [
    where.map(conditionShape),
    keys.map((k) => [k.field, k.direction]),
    behind?.stretch,
    window !== undefined,
    filter.map(conditionShape),
  ];

  return {
    maxBatch: Math.min(maxRows, Math.floor(dialect.maxParameters / columns.length)),

    get: (scope, id) =>
      bind("get", [encode("scope", scope), encode("id", id)], ([s, i]) =>
        builder.selectFrom(name).select(recordColumn).where("scope", "=", s!).where("id", "=", i!),
      ),

    insert: (records) =>
      bind(`insert ${records.length}`, records.flatMap(valuesOf), (operands) => {
        const rows = records.map((_, row) =>
          Object.fromEntries(columns.map((column, i) => [column, operands[row * columns.length + i]])),
        );
        return returning(
          builder
            .insertInto(name)
            .values(rows)
            .onConflict((conflict) => conflict.doNothing()),
        );
      }),

    update: (record) =>
      bind("update", valuesOf(record), ([s, i, ...rest]) =>
        builder
          .updateTable(name)
          .set(Object.fromEntries(rest.map((operand, n) => [columns[n + 2]!, operand])))
          .where("scope", "=", s!)
          .where("id", "=", i!),
      ),

    delete: (scope, id) =>
      bind("delete", [encode("scope", scope), encode("id", id)], ([s, i]) =>
        returning(builder.deleteFrom(name).where("scope", "=", s!).where("id", "=", i!)),
      ),

    deleteSome: (scope, where, limit) =>
      bind(shapeOf("deleteSome", where), [...boundIn(scope, where), limit], (operands) => {
        const some = builder.selectFrom(name).select("id").where(inScope(where, operands));
        return returning(
          builder
            .deleteFrom(name)
            .where("scope", "=", operands[0]!)
            .where("id", "in", some.limit(operands.at(-1) as never)),
        );
      }),

    countedOf: (scope, id) =>
      bind("countedOf", [encode("scope", scope), encode("id", id)], ([s, i]) =>
        builder.selectFrom(name).select(counted).where("scope", "=", s!).where("id", "=", i!),
      ),

    countedIn: (record) =>
      Object.fromEntries(
        counted.map((field) => [
          field,
          encode(field, field === "scope" ? record.scope : memberOf(record, field)),
        ]),
      ),

    countedValues: (scope, fields, where) => {
      const equal = new Map(where.map((c) => [c.field, c.value as FieldValue]));
      const values = fields.map((field) => [field, encode(field, equal.get(field)!)]);
      return { ...Object.fromEntries(values), scope: encode("scope", scope) };
    },

    records: (scope, part, offset, limit) => {
      const shape = JSON.stringify(["records", partShape(part), limit !== undefined, offset > 0]);
      return bind(shape, [...valuesOfPart(scope, part), limit, offset], (operands) => {
        const rows = part.filter?.length
          ? (windowOf(part, [recordColumn], operands).select(recordColumn) as unknown as Rows)
          : rowsOf(part, [recordColumn], operands);
        const ordered = inOrder(rows, part.keys);
        const noLimit = dialect.offsetNeedsLimit && offset > 0 ? ordered.limit(sql<number>`-1`) : ordered;
        const limited = limit === undefined ? noLimit : ordered.limit(operands.at(-2) as never);
        return offset > 0 ? limited.offset(operands.at(-1) as never) : limited;
      });
    },

    size: (scope, part) =>
      bind(JSON.stringify(["size", partShape(part)]), valuesOfPart(scope, part), (operands) =>
        windowOf(part, [], operands).select((eb) => eb.fn.countAll().as("count")),
      ),

    place: (scope, part, offset) =>
      bind(
        JSON.stringify(["place", partShape(part)]),
        [...valuesOfPart(scope, part), 1, offset],
        (operands) => {
          const columnNames = [...new Set(part.keys.map((k) => k.field))];
          return inOrder(rowsOf(part, columnNames, operands), part.keys)
            .limit(operands.at(-2) as never)
            .offset(operands.at(-1) as never);
        },
      ),

    placeOf: (keys, values) => keys.map((key, i) => encode(key.field, values[i]!)),

    nextScope: (after) =>
      bind(`nextScope ${after !== undefined}`, [encode("scope", after ?? null), 1], ([s, one]) => {
        const first = builder.selectFrom(name).select(recordColumn).orderBy("scope").orderBy("id");
        return (after === undefined ? first : first.where("scope", ">", s!)).limit(one as never);
      }),

    holder: (record, combination) => {
      if (combination.some((field) => memberOf(record, field) === null)) return undefined;
      const members = combination.map((field) => encode(field, memberOf(record, field)));
      const values = [encode("scope", record.scope), encode("id", record.id), ...members];
      return bind(JSON.stringify(["holder", combination]), values, ([s, i, ...rest]) =>
        rest.reduce(
          (q, operand, n) => q.where(combination[n]!, "=", operand),
          builder.selectFrom(name).select("id").where("scope", "=", s!).where("id", "<>", i!),
        ),
      );
    },
  };
}

type Encode = (field: string, value: FieldValue) => unknown;

/** What is bound for a field's value: encoded as its column is. */
function columnEncoder(definition: PlainDefinition, dialect: SqlDialect): Encode {
  const keys = new Set(["scope", "id", ...indexedFields(definition)]);
  return (field, value) => {
    if (typeof value !== "string") return dialect.bind(value);
    return keys.has(field) ? dialect.encodeKey(value) : encodeText(value);
  };
}

function allOf(conditions: readonly Operand[]) {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/**
 * Fields that are asked to be null, as keys that change nothing: PostgreSQL does not take them for constant, and finds
 * the order of an index behind them only when they are part of it.
 */
function nullsOf(where: readonly PlainCondition[], [first]: readonly PlainOrder[]): PlainOrder[] {
  const nulls = where.filter((c) => c.op === "eq" && c.value === null);
  return nulls.map(({ field }) => ({ field, direction: first!.direction }));
}

/** A statement in the order of the keys. */
function inOrder<Q extends { orderBy(column: Operand, direction: "asc" | "desc"): Q }>(
  select: Q,
  keys: readonly PlainOrder[],
): Q {
  return keys.reduce((q, key) => q.orderBy(sql.ref(key.field), key.direction), select);
}
