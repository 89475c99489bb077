/** A file of the user: its text, and its value as JSON, parsed when it is first needed. */
import type { Placed } from "../core/diagnostic.ts";
import { parseJsonOrLines } from "../core/json/json-lines.ts";
import type { JsonSource } from "../core/json-source.ts";
import type { PlacedSource } from "../core/place.ts";
import type { Result } from "../core/result.ts";
import { startOf } from "./origin.ts";

/** A file as the caller gives it. */
export interface ImportFile {
  /** The name in reports, such as a path. */
  readonly name: string;
  /** The whole text; at most 512 MiB, the longest string of the runtime. */
  readonly text: string;
}

/** A file whose format is not known yet. */
export interface SourceFile extends ImportFile {
  /** The text as one JSON document, lines of JSON as an array, or its first syntax error. */
  readonly json: () => Result<JsonSource, Placed<"syntax">>;
}

/** A file that is parsed at most once, when a reader first asks for its value. */
export function sourceFile({ name, text: given }: ImportFile): SourceFile {
  const text = given.startsWith("\ufeff") ? given.slice(1) : given;
  let json: Result<JsonSource, Placed<"syntax">> | undefined;
  return {
    name,
    text,
    json: () => {
      json ??= parseJsonOrLines(text, name);
      return json;
    },
  };
}

/** The value of a JSON file; undefined when it is not JSON. */
export function jsonValue(file: SourceFile): unknown {
  const parsed = file.json();
  return parsed.ok ? parsed.value.value : undefined;
}

/** The places of a JSON file; of another file, its start. */
export function placesOf(file: SourceFile): PlacedSource {
  return {
    place: (pointer) => {
      const parsed = file.json();
      const start = parsed.ok && { start: parsed.value.locate(pointer) };
      return { ...startOf(file.name), pointer, ...start };
    },
  };
}
