/**
 * The OpenAPI 3.1 document of the interface, derived from the table of endpoints: the schemas that decode requests,
 * and those that the tests check responses against.
 */
import * as z from "zod";
import type { Steps } from "../core/work/steps.ts";
import { type Code, catalogue } from "../errors.ts";
import { failureSchema, noContent, type ResponseSchema } from "../schemas/envelope.ts";
import type { Settings } from "../service/settings.ts";
import answers from "./documents/answers.json" with { type: "json" };
import { endpointDocuments } from "./documents/documents.ts";
import { type ExampleRequest, exampleParameters } from "./documents/endpoint-document.ts";
import { errorsOf } from "./documents/errors-of.ts";
import { bindingErrorHeader, type Endpoint, parameterFormats } from "./endpoints/endpoint.ts";
import { anyPermission } from "./requests/authentication.ts";
import { type WireNames, wireNames } from "./wire-names.ts";

/** The answers to the requests of the documents; `npm run generate` writes the file. */
const exampleAnswers: Readonly<Partial<Record<string, unknown>>> = answers;

/** The version of OpenAPI. */
const openApiVersion = "3.1.1";

/** The version of the interface, as in its path. */
const interfaceVersion = "4";

/** A JSON Schema, or a part of the document. */
export type JsonObject = { readonly [name: string]: unknown };

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonObject;
  readonly servers: readonly JsonObject[];
  readonly tags: readonly JsonObject[];
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components: JsonObject;
}

export interface DocumentOptions extends Pick<Settings, "wireNames" | "envelopes"> {
  /** Path of the interface, such as `/client/v4`. */
  readonly basePath: string;
}

/** State while the document is built. */
interface DocumentContext {
  readonly wire: WireNames;
  readonly everywhere: boolean;
  /** Named schemas found so far. */
  readonly schemas: Record<string, unknown>;
}

const tags: Readonly<Record<Endpoint["area"], string>> = {
  tokens: "Token validation",
  brand: "Brand protection",
  images: "Image hosting",
  proxy: "Proxy applications",
  shared: "Interface",
};

/** The document, with the names on the wire; each endpoint is a step. */
export function* openApiDocument(
  endpoints: readonly Endpoint[],
  options: DocumentOptions,
): Steps<OpenApiDocument> {
  const wire = wireNames[options.wireNames];
  const context: DocumentContext = { wire, everywhere: options.envelopes === "everywhere", schemas: {} };
  const failure = schemaOf(failureSchema, "output", context);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = documentPath(endpoint, wire);
    paths[path] ??= endpoint.mount === "origin" ? { servers: [{ url: "/" }] } : {};
    paths[path][endpoint.method.toLowerCase()] ??= operation(endpoint, context);
    yield;
  }
  return {
    openapi: openApiVersion,
    info: {
      title: "edgeproof",
      version: interfaceVersion,
      description: "Simulator of token validation, brand protection, image hosting and proxy applications.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: options.basePath }],
    tags: Object.values(tags).map((name) => ({ name })),
    paths,
    components: components(failure, context),
  };
}

function components(failure: JsonObject, { wire, schemas }: DocumentContext): JsonObject {
  return {
    schemas: { ...schemas, ErrorCode: errorCodes() },
    responses: {
      Failure: {
        description: "An error.",
        headers: traceHeader(wire),
        content: { "application/json": { schema: failure } },
      },
    },
    securitySchemes: {
      bearer: {
        type: "http",
        scheme: "bearer",
        description: "Without a list of API tokens every token has every permission.",
      },
    },
  };
}

/** The path template in OpenAPI's syntax, which does not distinguish parameters of several segments. */
function documentPath({ path }: Endpoint, wire: WireNames): string {
  return path.replace("{intel}", wire.intel).replace("{app_service}", wire.app_service).replaceAll("+}", "}");
}

function operation(endpoint: Endpoint, context: DocumentContext): JsonObject {
  const { id, area, summary, permission } = endpoint;
  const body = requestBody(endpoint, context);
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint)];
  return {
    operationId: id,
    tags: [tags[area]],
    summary,
    description: endpointDocuments[id].description,
    "x-error-codes": errorsOf(endpoint),
    security: securityOf(permission),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responses(endpoint, context),
  };
}

function securityOf(permission: Endpoint["permission"]): JsonObject[] {
  if (permission === undefined) return [];
  return [{ bearer: permission === anyPermission ? [] : [permission] }];
}

function pathParameters({ path }: Endpoint): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)(\+?)\}/g)].filter(
    ([, name]) => name !== "intel" && name !== "app_service",
  );
  return names.map(([, name = "", plus]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", ...parameterSchema(name) },
    example: exampleParameters[name],
    ...(plus === "+" && { description: "May have several segments, with their slashes." }),
  }));
}

function parameterSchema(name: string): JsonObject {
  const format = Object.hasOwn(parameterFormats, name) ? parameterFormats[name] : undefined;
  if (!format) return {};
  const { pattern, text } = format;
  // Patterns of JSON Schema have no flags.
  return {
    pattern: pattern.flags.includes("i") ? anyCase(pattern.source) : pattern.source,
    description: text,
  };
}

/** Only patterns of hex digits ignore letter case. */
function anyCase(source: string): string {
  return source.replaceAll("a-f", "a-fA-F");
}

function queryParameters({ id, query = {} }: Endpoint): JsonObject[] {
  const { example } = endpointDocuments[id];
  return Object.entries(query).flatMap(([first, { aliases, schema, isRequired, shape }]) =>
    [first, ...aliases].map((name) => ({
      name,
      in: "query",
      required: isRequired,
      schema: name === first ? schema : { ...schema, description: `The same as \`${first}\`.` },
      ...exampleOf(name, schema, example.query),
      // Each member of an object is a query parameter under its own name.
      ...(shape !== "single" && { style: "form", explode: shape === "pairs" }),
    })),
  );
}

/** The value of a query parameter in its type, as examples have it. */
function exampleOf(
  name: string,
  { type, items }: JsonObject,
  query: ExampleRequest["query"] = {},
): JsonObject {
  if (type === "object") {
    const members = Object.entries(query).filter(([key]) => key.startsWith(`${name}.`));
    return members.length > 0 ? { example: Object.fromEntries(members) } : {};
  }
  const text = query[name];
  if (text === undefined) return {};
  if (type !== "array") return { example: typedValue(text, type) };
  return { example: text.split(",").map((part) => typedValue(part, (items as JsonObject)["type"])) };
}

function typedValue(text: string, type: unknown): unknown {
  return type === "integer" || type === "boolean" ? JSON.parse(text) : text;
}

function requestBody(
  { id, request, form: fields, textTypes, isBodyOptional = false }: Endpoint,
  context: DocumentContext,
): JsonObject | undefined {
  const example = exampleValue(endpointDocuments[id].example.body, context);
  if (textTypes) {
    const text = { schema: { type: "string" }, ...example };
    return { required: !isBodyOptional, content: Object.fromEntries(textTypes.map((type) => [type, text])) };
  }
  const schema = request ?? fields;
  if (!schema) return undefined;
  const type = request ? "application/json" : "multipart/form-data";
  return {
    required: !isBodyOptional,
    content: { [type]: { schema: schemaOf(schema, "input", context), ...example } },
  };
}

/** An example with the names on the wire. */
function exampleValue(value: unknown, { wire }: DocumentContext): JsonObject {
  return value === undefined ? {} : { example: outward(value, wire) };
}

function responses(endpoint: Endpoint, context: DocumentContext): JsonObject {
  const own = context.everywhere ? endpoint.responseEverywhere : undefined;
  const shape = own ?? endpoint.response;
  const answer = own ? {} : exampleValue(exampleAnswers[endpoint.id], context);
  const description = describeErrors(errorsOf(endpoint).filter((code) => catalogue[code].status < 500));
  const failed = endpoint.plainTextErrors
    ? { ...plainTextError(endpoint, context.wire), description }
    : { $ref: "#/components/responses/Failure", description };
  const headers = traceHeader(context.wire);
  return {
    ...(shape === noContent
      ? { 204: { description: "Done; the response has no body.", headers } }
      : { 200: { description: "Done.", headers, content: contentOf(shape, context, answer) } }),
    ...(endpoint.plainTextErrors && {
      ...(endpoint.method === "GET" && {
        304: { description: "Not modified.", headers: traceHeader(context.wire) },
      }),
      503: failed,
    }),
    ...(endpoint.passesErrors && {
      302: { description: "Redirects to the source.", headers: traceHeader(context.wire) },
      500: { $ref: "#/components/responses/Failure" },
    }),
    "4XX": failed,
    "5XX": endpoint.unavailable
      ? {
          description: "A dependency is unavailable.",
          headers: traceHeader(context.wire),
          content: contentOf(endpoint.unavailable, context),
        }
      : endpoint.passesErrors
        ? failed
        : { $ref: "#/components/responses/Failure" },
  };
}

/** Codes by their status: `400: 6007, 10400; 404: 10404`. Their names are those of the component `ErrorCode`. */
function describeErrors(codes: readonly Code[]): string {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))].sort((a, b) => a - b);
  const lists = statuses.map((status) => {
    const own = codes.filter((code) => catalogue[code].status === status);
    return `${status}: ${own.join(", ")}`;
  });
  return `Error codes by status. ${lists.join("; ")}.`;
}

/** All codes with their names. */
function errorCodes(): JsonObject {
  const named = Object.entries(catalogue).map(([code, { status, name }]) => ({
    const: Number(code),
    title: name,
    description: `HTTP status ${status}.`,
  }));
  return { type: "integer", description: "The codes of errors.", oneOf: named };
}

function contentOf(response: ResponseSchema, context: DocumentContext, example: JsonObject = {}): JsonObject {
  const jsonOf = (schema: z.ZodType) => ({
    "application/json": { schema: schemaOf(schema, "output", context), ...example },
  });
  if (response.json) return jsonOf(response.json);
  const { contentTypes, instead } = response;
  return { ...Object.fromEntries(contentTypes.map((type) => [type, {}])), ...(instead && jsonOf(instead)) };
}

function plainTextError({ plainTextErrors }: Endpoint, wire: WireNames): JsonObject {
  const text = { schema: { type: "string" } };
  const header = plainTextErrors === bindingErrorHeader ? bindingErrorHeader : wire.imageErrorHeader;
  return {
    description: "Reason why the image was not delivered.",
    headers: { ...traceHeader(wire), [header]: { schema: { type: "string" } } },
    content: { "text/plain": text },
  };
}

function traceHeader({ traceHeader: name }: WireNames): JsonObject {
  return { [name]: { description: "Identifies this response.", schema: { type: "string" } } };
}

/** The JSON Schema of a zod schema; named schemas are moved to the components of the document. */
function schemaOf(schema: z.ZodType, io: "input" | "output", { wire, schemas }: DocumentContext): JsonObject {
  const { $schema, $defs = {}, ...own } = outward(z.toJSONSchema(schema, { io }), wire) as JsonObject;
  Object.assign(schemas, $defs);
  return own;
}

/** A schema with the member names on the wire, and references to the components. */
function outward(value: unknown, wire: WireNames): unknown {
  if (typeof value === "string") {
    if (value.startsWith("#/$defs/")) return value.replace("#/$defs/", "#/components/schemas/");
    return renamed(value, wire);
  }
  if (Array.isArray(value)) return value.map((item) => outward(item, wire));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [renamed(key, wire), outward(member, wire)]),
  );
}

function renamed(word: string, wire: WireNames): string {
  return word === "store_path" || word === "smart_routing" ? wire[word] : word;
}
