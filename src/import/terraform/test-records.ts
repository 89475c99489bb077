/** The records of `terraform test -json -verbose`: one JSON object a line. */

import type { Placed } from "../../core/diagnostic.ts";
import { parseJsonSource } from "../../core/json-source.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { PlacedSource } from "../../core/place.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { pointer, quote } from "../../errors.ts";
import { unreadable } from "../import-rules.ts";
import { startOf } from "../origin.ts";
import { otherFormatHint } from "../other-formats.ts";
import type { SourceFile } from "../source-file.ts";

/** The record with the state after a run. */
export interface StateRecord {
  /** The state, in the form of a state's `values`. */
  readonly state: JsonObject;
  /** Pointers begin with the index of the record's line, from 0. */
  readonly place: PlacedSource;
  /** RFC 6901 pointer of the state. */
  readonly pointer: string;
}

interface Line {
  readonly text: string;
  /** From 0. */
  readonly index: number;
}

/** Whether the first line that is an object is a record of Terraform. */
export function hasTestRecords({ text }: SourceFile): boolean {
  const first = firstObject(text);
  if (first === undefined || !/"@module"|"test_state"/.test(first)) return false;
  const parsed = parseJsonSource(first);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) return false;
  if (otherFormatHint(text) !== undefined) return false;
  const { "@module": module, type } = parsed.value.value;
  return module === "terraform.ui" || module === "tofu.ui" || type === "test_state";
}

/** Longest start of a file that is searched for a record, in characters. */
const maxHead = 65_536;

function firstObject(text: string): string | undefined {
  const start = text.slice(0, maxHead).search(/^[ \t]*\{/m);
  if (start < 0) return undefined;
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end);
}

/** The state after the run `world`, or after the last run. Lines without an object are not records. */
export function readStateRecord(file: SourceFile): Result<StateRecord, Placed> {
  let best: { readonly record: JsonObject; readonly line: Line } | undefined;
  let error: string | undefined;
  for (const line of objectLines(file.text)) {
    if (!/"test_state"|"diagnostic"/.test(line.text)) continue;
    const parsed = parseJsonSource(line.text);
    if (!parsed.ok) return failure(faultOf(file, line, parsed.problems[0]));
    const record = parsed.value.value;
    if (!isJsonObject(record)) continue;
    error ??= errorOf(record);
    if (record["type"] === "test_state" && isBetter(record, best?.record)) best = { record, line };
  }
  if (!best) return failure(unreadable(startOf(file.name), missingState(error)));
  const state = best.record["test_state"];
  if (!isJsonObject(state))
    return failure(unreadable(atLine(file, best.line, 1), "`test_state` must be an object."));
  return success({ state, place: placeOf(file, best.line), pointer: pointer(best.line.index, "test_state") });
}

function* objectLines(text: string): Generator<Line> {
  let start = 0;
  for (let index = 0; start < text.length; index++) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    if (/^\s*\{/.test(line)) yield { text: line, index };
    start = end + 1;
  }
}

function isBetter(record: JsonObject, best: JsonObject | undefined): boolean {
  return best?.["@testrun"] !== "world" || record["@testrun"] === "world";
}

function errorOf({ type, diagnostic }: JsonObject): string | undefined {
  if (type !== "diagnostic" || !isJsonObject(diagnostic) || diagnostic["severity"] !== "error")
    return undefined;
  return String(diagnostic["summary"] ?? "an error");
}

function missingState(error: string | undefined): string {
  const reason = error === undefined ? "" : ` Terraform reported ${quote(error)}.`;
  return `The file has no record \`test_state\`, which \`terraform test -json -verbose\` prints for a run that passes.${reason}`;
}

/** A record is one line. */
function faultOf(file: SourceFile, line: Line, { at, message }: Placed): Placed {
  return unreadable(atLine(file, line, at.start.column), `The record is not JSON: ${message}.`);
}

function atLine({ name }: SourceFile, { index }: Line, column: number): Placed["at"] {
  return { file: name, start: { line: index + 1, column } };
}

function placeOf(file: SourceFile, line: Line): PlacedSource {
  const parsed = parseJsonSource(line.text);
  return {
    place: (pointer) => {
      const within = pointer.replace(/^\/\d+/, "");
      const { column } = parsed.ok ? parsed.value.locate(within) : { column: 1 };
      return { ...atLine(file, line, column), pointer };
    },
  };
}
