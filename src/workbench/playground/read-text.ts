/** The text of the rules as a value with its lines: JSON, YAML, or a file of another format that is read as a world. */

import type { Placed } from "../../core/diagnostic.ts";
import { parseJsoncSource } from "../../core/json/comments.ts";
import { type JsonSource, syntaxError } from "../../core/json-source.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { parseYamlSource } from "../../core/yaml/source.ts";
import { otherFormatHint } from "../../import/other-formats.ts";
import type { Undecided } from "../../import/undecided.ts";
import { readUndecided, withUndecided } from "../../import/world/partial-world.ts";
import { formatOf, readWorld } from "../../import/world-from.ts";
import { hasWorldLists } from "../../service/world/world-lists.ts";
import { isPlainZone } from "./plain-zone.ts";

/** The format into which rules can be saved. */
export const editableFormat = "JSON";

/** A text that was read. */
export interface TextSource {
  /** Name of the format, for people. */
  readonly format: string;
  /** The value, unchecked. */
  readonly value: unknown;
  /** Line of a pointer in the text, from 1. */
  readonly lineOf: (pointer: string) => number | undefined;
  /** Parts that the text does not decide. */
  readonly undecided: readonly Undecided[];
  /** Resources that the service would reject. */
  readonly invalid: readonly Placed[];
  /** Parts that a world does not have. */
  readonly dropped: readonly Placed[];
}

/** The name of the text in reports. */
const file = "the text";

/** Reads a text, or returns why it has no known format. Never throws. */
export function readText(text: string): Result<TextSource, Placed> {
  const hint = otherFormatHint(text);
  if (hint !== undefined)
    return failure(syntaxError(file, { line: 1, column: 1 }, `the text cannot be read: ${hint}`));
  const isYaml = /^\s*[^\s{["/]/.test(text);
  const parsed = isYaml ? parseYamlSource(text, file) : parseJsoncSource(text, file);
  if (parsed.ok && isRules(parsed.value.value))
    return success(sourceOf(parsed.value, isYaml ? "YAML" : editableFormat));
  if (formatOf({ name: file, text }) !== undefined) return importText(text);
  return parsed.ok ? success(sourceOf(parsed.value, isYaml ? "YAML" : editableFormat)) : parsed;
}

/** Whether a value is a world or the rules of a zone. */
function isRules(value: unknown): boolean {
  return isPlainZone(value) || hasWorldLists(value);
}

function sourceOf(source: JsonSource, format: string): TextSource {
  const place = (pointer: string) => ({ file, pointer, ...source.range(pointer) });
  return {
    format,
    value: source.value,
    lineOf: (pointer) => startLine(source, pointer),
    undecided: readUndecided(source.value, place),
    invalid: [],
    dropped: [],
  };
}

function startLine(source: JsonSource, pointer: string): number | undefined {
  try {
    return source.range(pointer).start.line;
  } catch {
    return undefined;
  }
}

function importText(text: string): Result<TextSource, Placed> {
  const read = readWorld([{ name: file, text }]);
  if (!read.ok) return read;
  const { world, report, sources } = read.value;
  return success({
    format: report.formats[0]?.format ?? "",
    // As a world file that `world from` writes.
    value: withUndecided(world, report.undecided),
    lineOf: (pointer) => sources.locate(pointer)?.start.line,
    undecided: report.undecided,
    invalid: report.invalid,
    dropped: report.dropped,
  });
}
