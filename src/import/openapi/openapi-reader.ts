/** Reads the operations of an OpenAPI document, JSON or YAML, and the token sources of its security schemes. */

import type { Diagnostic, Placed } from "../../core/diagnostic.ts";
import type { JsonSource } from "../../core/json-source.ts";
import { type PlacedSource, place } from "../../core/place.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { sentence } from "../../core/text/sentence.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { parseYamlSource } from "../../core/yaml/source.ts";
import { counted } from "../../errors.ts";
import { derivedValue, unreadable } from "../import-rules.ts";
import type { Reader } from "../reader.ts";
import type { Reading, ResourceOf } from "../reading.ts";
import { emptyReading } from "../reading.ts";
import type { SourceFile } from "../source-file.ts";
import { type Undecided, undecidedPart } from "../undecided.ts";
import { type OpenApiDocument, openApiVersion, readOpenApi } from "./read-openapi.ts";

/** Operations of a zone; the document says nothing of keys and rules. */
export const openApi: Reader = {
  format: "OpenAPI document",
  detect: (file) => (isJson(file) ? hasVersion(file.json()) : /^(openapi|swagger)[ \t]*:/m.test(file.text)),
  read: (file, { hosts }) => {
    const parsed = isJson(file) ? file.json() : parseYamlSource(file.text, file.name);
    if (!parsed.ok) return failure(syntaxFault(parsed.problems[0]));
    const { value, locate } = parsed.value;
    const document = readOpenApi(value, { hosts });
    const places: PlacedSource = {
      place: (pointer) => ({ file: file.name, start: locate(pointer), pointer }),
    };
    if (document.ok) return success(readingOf(document.value, places, file.name));
    const [first, ...rest] = document.problems.map(({ pointer = "", message }) =>
      unreadable(places.place(pointer), message),
    );
    return first ? failure(first, ...rest) : success(emptyReading);
  },
};

/** Only an object can be a document: in JSON it begins with a brace. */
function isJson({ text }: SourceFile): boolean {
  return /^\s*\{/.test(text);
}

function hasVersion(parsed: Result<JsonSource, Placed>): boolean {
  return parsed.ok && openApiVersion(parsed.value.value) !== undefined;
}

function syntaxFault({ at, message }: Placed): Placed {
  return unreadable(at, sentence(message));
}

function readingOf(document: OpenApiDocument, file: PlacedSource, name: string): Reading {
  const resources = document.operations.map(({ operation_id, method, host, endpoint, pointer }) => {
    const value = { operation_id, method, host, endpoint };
    return { kind: "operation", value, origin: { file, pointer } } satisfies ResourceOf<"operation">;
  });
  return {
    ...emptyReading,
    resources,
    dropped: place(document.dropped, file),
    derived: [...place(document.derived, file), ...tokenSources(document, file)],
    undecided: document.withoutHost.map((operation) => undecidedHost(operation, file, name)),
  };
}

function undecidedHost({ pointer = "", message }: Diagnostic, file: PlacedSource, name: string): Undecided {
  return undecidedPart(file.place(pointer), {
    about: "host",
    message: `Operations are left out: ${message}`,
    run: `${runCommand} world from ${shellWord(name)} --host <name>; or write the host in \`servers\` of the document`,
    effect: {},
  });
}

/** Sources belong to configurations, which need keys; the document has none. */
function tokenSources({ schemes, operations }: OpenApiDocument, file: PlacedSource): Placed[] {
  const counts = new Map<string, number>();
  for (const { security } of operations) {
    for (const name of new Set(security.flat().map((scheme) => scheme.name)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return schemes.map(({ name, pointer, source, reason }) => {
    const uses = `Security scheme \`${name}\` of ${counted(counts.get(name) ?? 0, "operation")}`;
    const consequence = source
      ? `token source \`${source}\`, for \`token_sources\` of a configuration with the issuer's keys.`
      : `no token source: ${reason}.`;
    return derivedValue({ file, pointer }, `${uses}: ${consequence}`);
  });
}
