/** Reads the operations of an OpenAPI document, JSON or YAML, and the token sources of its security schemes. */

import type { JsonFault, JsonSource } from "../../core/json-source.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { parseYamlSource } from "../../core/yaml/source.ts";
import { counted } from "../../errors.ts";
import type { Reader, ReadingFault } from "../reader.ts";
import type { DerivedPart, Origin, Reading, ResourceOf, UndecidedPart } from "../reading.ts";
import { emptyReading } from "../reading.ts";
import type { SourceFile } from "../source-file.ts";
import { type OpenApiDocument, openApiVersion, readOpenApi } from "./read-openapi.ts";
import type { DocumentRemark } from "./reading-context.ts";

/** Operations of a zone; the document says nothing of keys and rules. */
export const openApi: Reader = {
  format: "OpenAPI document",
  detect: (file) => (isJson(file) ? hasVersion(file.json()) : /^(openapi|swagger)[ \t]*:/m.test(file.text)),
  read: (file, { hosts }) => {
    const parsed = isJson(file) ? file.json() : parseYamlSource(file.text);
    if (!parsed.ok) return failure(syntaxFault(parsed.problems[0]));
    const { value, locate } = parsed.value;
    const document = readOpenApi(value, { hosts });
    if (document.ok) return success(readingOf(document.value, { name: file.name, locate }));
    const [first, ...rest] = document.problems.map(({ pointer: at = "", message }): ReadingFault => {
      return { ...locate(at), message };
    });
    return first ? failure(first, ...rest) : success(emptyReading);
  },
};

/** Only an object can be a document: in JSON it begins with a brace. */
function isJson({ text }: SourceFile): boolean {
  return /^\s*\{/.test(text);
}

function hasVersion(parsed: Result<JsonSource, JsonFault>): boolean {
  return parsed.ok && openApiVersion(parsed.value.value) !== undefined;
}

function syntaxFault({ line, column, message }: JsonFault): ReadingFault {
  return { line, column, message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` };
}

function readingOf(document: OpenApiDocument, file: Origin["file"]): Reading {
  const reason = ({ pointer, message }: DocumentRemark) => ({ origin: { file, pointer }, reason: message });
  const resources = document.operations.map(({ operation_id, method, host, endpoint, pointer }) => {
    const value = { operation_id, method, host, endpoint };
    return { kind: "operation", value, origin: { file, pointer } } satisfies ResourceOf<"operation">;
  });
  return {
    ...emptyReading,
    resources,
    dropped: document.dropped.map(reason),
    derived: [...document.derived.map(reason), ...tokenSources(document, file)],
    undecided: document.withoutHost.map((remark) => undecidedHost(remark, file)),
  };
}

function undecidedHost({ pointer, message }: DocumentRemark, file: Origin["file"]): UndecidedPart {
  const run = `edgeproof world from ${file.name} --host <name>; or write the host in \`servers\` of the document`;
  return { origin: { file, pointer }, subject: "host", message: `Operations are left out: ${message}`, run };
}

/** Sources belong to configurations, which need keys; the document has none. */
function tokenSources({ schemes, operations }: OpenApiDocument, file: Origin["file"]): DerivedPart[] {
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
    return { origin: { file, pointer }, reason: `${uses}: ${consequence}` };
  });
}
