/** Reads one field of a request as the comparison of a token rule does. */
import { compileValue, createProgram } from "../../../src/engine/tokens/expression/compile-value.ts";
import type { Field } from "../../../src/engine/tokens/expression/field.ts";
import { toText } from "../../../src/engine/tokens/expression/values/bytes.ts";
import { startValues } from "../../../src/engine/tokens/expression/values/request-values.ts";
import type { RequestReader } from "../../../src/engine/tokens/zone/request.ts";
import { fieldValue } from "./leaves.ts";

/** The value of a field; undefined when the request has none. */
export function readField(reader: RequestReader, field: Field): string | undefined {
  const program = createProgram({ configurations: new Set(), lists: new Map() });
  const named = field.name === "http.request.headers" ? { ...field, key: field.key.toLowerCase() } : field;
  const read = compileValue(program, fieldValue(named, { start: 0, end: 0 }));
  const { method, url } = reader;
  const values = startValues(program, reader, { method, url }, 0, { ids: [], valid: () => undefined });
  const value = read(values);
  return typeof value === "string" ? (toText(value) ?? value) : undefined;
}
