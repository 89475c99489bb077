/**
 * Statements of one shape share their text: it is built once, with a mark for each value, and later only bound.
 * Building takes longer than SQLite takes to answer.
 */
import { sql } from "kysely";
import type { Statement } from "../engines/engine.ts";
import type { Operand } from "./conditions.ts";

/** How many shapes are remembered; what is asked for comes from code, so that there are few. */
const maxShapes = 1000;

/** Stands in a statement for the value with this index. */
interface Mark {
  readonly slot: number;
}

interface Shape {
  readonly sql: string;
  /** Which value each parameter is. */
  readonly slots: readonly number[];
}

/** Builds a statement over operands, or binds the one that was built for this shape. */
export type Bind = (
  shape: string,
  values: readonly unknown[],
  build: (operands: readonly Operand[]) => { compile(): Statement },
) => Statement;

export function createShapes(): Bind {
  const shapes = new Map<string, Shape>();
  return (key, values, build) => {
    const shape = shapes.get(key) ?? shapeOf(values.length, build);
    if (shapes.size >= maxShapes) shapes.clear();
    shapes.set(key, shape);
    return { sql: shape.sql, parameters: shape.slots.map((slot) => values[slot]) };
  };
}

function shapeOf(count: number, build: Parameters<Bind>[2]): Shape {
  const operands = Array.from({ length: count }, (_, slot) => sql`${{ slot } satisfies Mark}`);
  const { sql: text, parameters } = build(operands).compile();
  return { sql: text, slots: (parameters as readonly Mark[]).map((mark) => mark.slot) };
}
