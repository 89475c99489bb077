/** A file of the user: its text, and its value as JSON, parsed when it is first needed. */
import { type JsonFault, type JsonSource, parseJsonSource, type TextPosition } from "../core/json-source.ts";
import type { Result } from "../core/result.ts";

/** A file as the caller gives it. */
export interface ImportFile {
  /** The name in reports, such as a path. */
  readonly name: string;
  /** The whole text; at most 512 MiB, the longest string of the runtime. */
  readonly text: string;
}

/** A text in which pointers have a position. */
export interface Locatable {
  /** The name in reports. */
  readonly name: string;
  /** Start of the value at an RFC 6901 pointer, or of the innermost existing value around it. */
  locate(pointer: string): TextPosition;
}

/** A file whose format is not known yet. */
export interface SourceFile extends ImportFile {
  /** The text as one JSON document, or its first syntax error. */
  readonly json: () => Result<JsonSource, JsonFault>;
}

/** A file that is parsed at most once, when a reader first asks for its value. */
export function sourceFile({ name, text: given }: ImportFile): SourceFile {
  const text = given.startsWith("\ufeff") ? given.slice(1) : given;
  let json: Result<JsonSource, JsonFault> | undefined;
  return {
    name,
    text,
    json: () => {
      json ??= parseJsonSource(text);
      return json;
    },
  };
}

/** The value of a JSON file; undefined when it is not JSON. */
export function jsonValue(file: SourceFile): unknown {
  const parsed = file.json();
  return parsed.ok ? parsed.value.value : undefined;
}

/** The positions of a JSON file. */
export function locatableJson(file: SourceFile): Locatable {
  return {
    name: file.name,
    locate: (pointer) => {
      const parsed = file.json();
      return parsed.ok ? parsed.value.locate(pointer) : { line: 1, column: 1 };
    },
  };
}
