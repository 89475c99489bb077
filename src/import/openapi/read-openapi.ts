/**
 * Reads the operations, the security and the servers of an OpenAPI document (2.0, 3.0 or 3.1). Schemas are not looked
 * at, references to other files and to the network are not followed.
 */

import {
  arrayOf,
  aString,
  type KindsOf,
  optional,
  optionsOf,
  requireArgument,
} from "../../core/arguments.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import type { DocumentedOperation } from "../../engine/tokens/analysis/audit/documented-operation.ts";
import { inputProblem, invalidValue } from "../../engine/tokens/input-problem.ts";
import { parseTemplate } from "../../engine/tokens/zone/path-template.ts";
import { routePattern } from "../../engine/tokens/zone/router.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import { createIds } from "./operation-ids.ts";
import { type PathOperation, readPathOperations } from "./path-items.ts";
import { createContext, type ReadingContext, reject, remark } from "./reading-context.ts";
import { readSecurity, type Security } from "./security.ts";
import { readSchemes, type SecurityScheme } from "./security-schemes.ts";
import { defaultServers, readServers, readSwaggerServer, type Server } from "./servers.ts";

/** Options of reading a document. */
export interface OpenApiOptions {
  /** Hosts of servers whose URL has none. */
  readonly hosts?: readonly string[];
  /** Names of extensions, such as `x-internal`: path items and operations with one that is not `false` are left out. */
  readonly ignore?: readonly string[];
}

/** The members of `OpenApiOptions`. */
export const openApiMembers: KindsOf<OpenApiOptions> = {
  hosts: optional(arrayOf(aString)),
  ignore: optional(arrayOf(aString)),
};

/** An operation of a document, on one of its hosts. */
export interface OpenApiOperation extends DocumentedOperation {
  /** Alternatives of schemes, one of which a request must meet; none: the operation is public. */
  readonly security: Security;
  /** RFC 6901 pointer of the operation in the document. */
  readonly pointer: string;
}

/** The parts of a document that matter for requests. */
export interface OpenApiDocument {
  /** The version as the document has it. */
  readonly version: string;
  /** Each operation on each of its servers; no two match the same requests. */
  readonly operations: readonly OpenApiOperation[];
  /** The security schemes, by name. */
  readonly schemes: readonly SecurityScheme[];
  /** Parts that are left out, because they cannot be read. */
  readonly dropped: readonly Diagnostic[];
  /** Parts that are left out, because `ignore` names their extension. */
  readonly ignored: readonly Diagnostic[];
  /** Values that the document does not contain as they are. */
  readonly derived: readonly Diagnostic[];
  /** Servers without a host, whose operations are left out unless `hosts` is given. */
  readonly withoutHost: readonly Diagnostic[];
}

/** The maximum number of operations on all servers. */
export const maxOpenApiOperations = 100_000;

/** The version of a document, if it is one: the value of `openapi` or `swagger`. */
export function openApiVersion(value: unknown): unknown {
  return isJsonObject(value) ? (value["openapi"] ?? value["swagger"]) : undefined;
}

/** Reads a document. Never throws, whatever the value is; a failure has its first 100 problems. */
export function readOpenApi(value: unknown, options: OpenApiOptions = {}): Result<OpenApiDocument> {
  requireArgument("options", options, optionsOf<OpenApiOptions>("readOpenApi", openApiMembers));
  if (!isJsonObject(value)) return failure(invalidValue("", "the document", "an object", value));
  const version = readVersion(value);
  if (!version.ok) return version;
  const context = createContext(value);
  const isSwagger = version.value.startsWith("2");
  const schemes = new Map(readSchemes(context, isSwagger));
  const operations = readOperations(context, { isSwagger, schemes, ...options });
  const [first, ...rest] = context.problems;
  if (first !== undefined) return failure<CodedDiagnostic>(first, ...rest);
  const { dropped, ignored, derived, withoutHost } = context;
  return success({
    version: version.value,
    operations,
    schemes: [...schemes.values()],
    dropped,
    ignored,
    derived,
    withoutHost,
  });
}

/** Versions are strings; YAML reads an unquoted `2.0` or `3.1` as a number. */
function readVersion({ openapi, swagger }: JsonObject): Result<string> {
  const [value, at, pattern] =
    openapi === undefined && swagger !== undefined
      ? [swagger, "/swagger", /^2(\.0)?$/]
      : [openapi, "/openapi", /^3\.[01](\.\d+(-.*)?)?$/];
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && pattern.test(text)) return success(text === "2" ? "2.0" : text);
  const allowed = at === "/swagger" ? "`2.0`" : "a version 3.0 or 3.1 (or `swagger` `2.0`)";
  return failure(invalidValue(at, `\`${at.slice(1)}\``, allowed, value));
}

interface DocumentSettings extends OpenApiOptions {
  readonly isSwagger: boolean;
  readonly schemes: Map<string, SecurityScheme>;
}

function readOperations(context: ReadingContext, settings: DocumentSettings): readonly OpenApiOperation[] {
  const { ignore = [], schemes } = settings;
  const serversOf = createServerLookup(context, settings);
  const security = readSecurity(context, context.root, "", schemes) ?? [];
  const collector = createCollector(context);
  for (const found of readPathOperations(context, ignore)) {
    const own = readSecurity(context, found.operation, found.at, schemes) ?? security;
    for (const server of serversOf(found)) collector.add(found, server, own);
    if (collector.operations.length <= maxOpenApiOperations) continue;
    reject(
      context,
      inputProblem("/paths", `There are more than ${maxOpenApiOperations} operations on all servers`),
    );
    break;
  }
  return collector.operations;
}

/** Finds the servers of operations; the servers of an object are read once, and when they are first needed. */
function createServerLookup(
  context: ReadingContext,
  { isSwagger, hosts = [] }: DocumentSettings,
): (found: PathOperation) => readonly Server[] {
  const known = new Map<JsonObject, readonly Server[] | undefined>();
  const serversOf = (owner: JsonObject, at: string) => {
    if (!known.has(owner)) known.set(owner, readServers(context, owner, at, hosts));
    return known.get(owner);
  };
  let shared: readonly Server[] | undefined;
  const sharedServers = () => {
    shared ??= isSwagger
      ? readSwaggerServer(context, hosts)
      : (serversOf(context.root, "") ?? defaultServers(context, hosts));
    return shared;
  };
  return ({ operation, at, pathItem, pathItemAt }) => {
    if (isSwagger) return sharedServers();
    return serversOf(operation, at) ?? serversOf(pathItem, pathItemAt) ?? sharedServers();
  };
}

interface Collector {
  readonly operations: readonly OpenApiOperation[];
  add(found: PathOperation, server: Server, security: Security): void;
}

/** Collects operations that match different requests. */
function createCollector(context: ReadingContext): Collector {
  const operations: OpenApiOperation[] = [];
  const pointers = new Map<string, string>();
  const idOf = createIds();
  function add(
    { method, path, operation, at }: PathOperation,
    { host, basePath }: Server,
    security: Security,
  ) {
    const endpoint = nameVariables(basePath + path);
    const template = parseTemplate(endpoint);
    const route = JSON.stringify([host, method, template.ok ? routePattern(template.value) : endpoint]);
    const earlier = pointers.get(route);
    if (earlier !== undefined || !template.ok) {
      const reason = template.ok ? `${earlier} matches the same requests.` : template.problems[0].message;
      if (earlier !== at) remark(context, "dropped", at, `Left out on ${host}: ${reason}`);
      return;
    }
    pointers.set(route, at);
    const { operationId } = operation;
    const isNamed = typeof operationId === "string" && operationId !== "";
    const operation_id = idOf(isNamed ? operationId : `${method} ${host}${endpoint}`);
    operations.push({ operation_id, method, host, endpoint, security, pointer: at });
  }
  return { operations, add };
}

/** Names the variables of a path `{var1}`, `{var2}` from the left, as the service does. */
function nameVariables(path: string): string {
  let count = 0;
  return path.replaceAll(/\{[^{}]+\}/g, () => `{var${++count}}`);
}
