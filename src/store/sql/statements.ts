/** The statements of one collection. Values travel as parameters only. */
import { sql } from "kysely";
import type { PlainCondition, PlainOrder, PlainQuery } from "../checks.ts";
import type { PlainDefinition, StoredRecord } from "../definition.ts";
import type { FieldValue } from "../port.ts";
import { conditionShape, conditionSql, keysetSql, type Operand } from "./conditions.ts";
import type { SqlDialect, Statement } from "./engine.ts";
import { indexedFields, recordColumn } from "./layout.ts";
import { createShapes } from "./shapes.ts";
import { encodeText } from "./text.ts";

export interface Statements {
  get(scope: string, id: string): Statement;
  /** Inserts those that are free. At most `maxBatch` records. */
  insert(records: readonly StoredRecord[]): Statement;
  update(record: StoredRecord): Statement;
  delete(scope: string, id: string): Statement;
  deleteWhere(scope: string, where: readonly PlainCondition[]): Statement;
  find(scope: string, query: PlainQuery): Statement;
  count(scope: string, where: readonly PlainCondition[]): Statement;
  /** Finds the first record of the next scope behind this one, or of the first. */
  nextScope(after: string | undefined): Statement;
  /** Finds another record that holds this one's combination; undefined when a member is null. */
  holder(record: StoredRecord, fields: readonly string[]): Statement | undefined;
  /** How many records one insert takes. */
  readonly maxBatch: number;
}

type Members = Readonly<Record<string, FieldValue | undefined>>;

/** Rows of one insert: beyond this, longer statements win nothing. */
const maxRows = 500;

export function createStatements(definition: PlainDefinition, dialect: SqlDialect): Statements {
  const { name } = definition;
  const { builder } = dialect;
  const fields = Object.keys(definition.fields);
  const columns = ["scope", "id", ...fields, recordColumn];
  const encode = columnEncoder(definition, dialect);
  const bind = createShapes();

  const memberOf = (record: StoredRecord, field: string): FieldValue =>
    (record as unknown as Members)[field] ?? null;
  const valuesOf = (record: StoredRecord): unknown[] => [
    encode("scope", record.scope),
    encode("id", record.id),
    ...fields.map((field) => encode(field, memberOf(record, field))),
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
  const inScope = (where: readonly PlainCondition[], operands: readonly Operand[]) =>
    sql<boolean>`${sql.join(
      [
        sql`${sql.ref("scope")} = ${operands[0]}`,
        ...where.map((condition, i) => conditionSql(dialect, condition, operands[i + 1]!)),
      ],
      sql` and `,
    )}`;
  const shapeOf = (kind: string, where: readonly PlainCondition[], ...rest: unknown[]) =>
    JSON.stringify([kind, where.map(conditionShape), rest]);

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
        return builder
          .insertInto(name)
          .values(rows)
          .onConflict((conflict) => conflict.doNothing());
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
        builder.deleteFrom(name).where("scope", "=", s!).where("id", "=", i!),
      ),

    deleteWhere: (scope, where) =>
      bind(shapeOf("deleteWhere", where), boundIn(scope, where), (operands) =>
        builder.deleteFrom(name).where(inScope(where, operands)),
      ),

    count: (scope, where) =>
      bind(shapeOf("count", where), boundIn(scope, where), (operands) =>
        builder
          .selectFrom(name)
          .select((eb) => eb.fn.countAll().as("count"))
          .where(inScope(where, operands)),
      ),

    find: (scope, query) => {
      const { where = [], order = [], offset = 0, limit, after } = query;
      const keys = orderKeys(order);
      const place = after ? keys.map((key, i) => encode(key.field, placeValue(key, i, order, after))) : [];
      const values = [...boundIn(scope, where), ...place, limit, offset];
      const parts = [order.map((o) => [o.field, o.direction]), !!after, limit !== undefined, offset > 0];
      return bind(shapeOf("find", where, parts), values, (operands) => {
        const behind = operands.slice(where.length + 1, -2);
        const inPlace = after ? [keysetSql(keys, behind)] : [];
        const select = builder
          .selectFrom(name)
          .select(recordColumn)
          .where((eb) => eb.and([inScope(where, operands), ...inPlace]));
        const ordered = keys.reduce((q, k) => q.orderBy(sql.ref(k.field), k.direction), select);
        const noLimit = dialect.offsetNeedsLimit && offset > 0 ? ordered.limit(sql<number>`-1`) : ordered;
        const limited = limit === undefined ? noLimit : ordered.limit(operands.at(-2) as never);
        return offset > 0 ? limited.offset(operands.at(-1) as never) : limited;
      });
    },

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

/** The order with the id as its last word; what stands behind the id decides nothing. */
function orderKeys(order: readonly PlainOrder[]): PlainOrder[] {
  const id = order.findIndex((o) => o.field === "id");
  return id === -1 ? [...order, { field: "id", direction: "asc" }] : order.slice(0, id + 1);
}

function placeValue(
  key: PlainOrder,
  index: number,
  order: readonly PlainOrder[],
  after: readonly FieldValue[],
): FieldValue {
  return after[key.field === "id" ? order.length : index]!;
}
