/**
 * The OpenAPI 3.1 document of the interface, made from the table of endpoints: the schemas that decode requests, and
 * those that answers are held to.
 */
import { z } from "zod";
import { failureSchema, type ResponseSchema } from "../schemas/envelope.ts";
import type { Settings } from "../service/settings.ts";
import { type Endpoint, parameterFormats } from "./endpoints/endpoint.ts";
import { type WireNames, wireNames } from "./wire-names.ts";

/** The version of OpenAPI. */
const openApiVersion = "3.1.1";

/** The interface's own version: its path begins with it. */
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
  /** Where the interface is mounted, such as `/client/v4`. */
  readonly basePath: string;
}

/** What is needed while the document is put together. */
interface Making {
  readonly wire: WireNames;
  readonly everywhere: boolean;
  /** Named schemas, as they come. */
  readonly schemas: Record<string, unknown>;
}

const tags: Readonly<Record<Endpoint["area"], string>> = {
  tokens: "Token validation",
  brand: "Brand protection",
  images: "Image hosting",
  proxy: "Proxy applications",
  shared: "Interface",
};

/** The document, in the words of the wire. */
export function openApiDocument(endpoints: readonly Endpoint[], options: DocumentOptions): OpenApiDocument {
  const wire = wireNames[options.wireNames];
  const making: Making = { wire, everywhere: options.envelopes === "everywhere", schemas: {} };
  const failure = schemaOf(failureSchema, "output", making);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = documentPath(endpoint, wire);
    paths[path] ??= endpoint.mount === "origin" ? { servers: [{ url: "/" }] } : {};
    paths[path][endpoint.method.toLowerCase()] ??= operation(endpoint, making);
  }
  return {
    openapi: openApiVersion,
    info: {
      title: "edgeproof",
      version: interfaceVersion,
      description: "Token validation, brand protection, image hosting and proxy applications, simulated.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: options.basePath }],
    tags: Object.values(tags).map((name) => ({ name })),
    paths,
    components: components(failure, making),
  };
}

function components(failure: JsonObject, { wire, schemas }: Making): JsonObject {
  return {
    schemas,
    responses: {
      Failure: {
        description: "A refusal or a failure.",
        headers: traceHeader(wire),
        content: { "application/json": { schema: failure } },
      },
    },
    securitySchemes: {
      bearer: {
        type: "http",
        scheme: "bearer",
        description: "Without a list of API tokens any token may do everything.",
      },
    },
  };
}

/** The template as OpenAPI writes it; parameters of several segments look like others there. */
function documentPath({ path }: Endpoint, wire: WireNames): string {
  return path.replace("{intel}", wire.intel).replace("{app_service}", wire.app_service).replaceAll("+}", "}");
}

function operation(endpoint: Endpoint, making: Making): JsonObject {
  const { id, area, summary, permission } = endpoint;
  const body = requestBody(endpoint, making);
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint, making)];
  return {
    operationId: id,
    tags: [tags[area]],
    summary,
    security: permission === undefined ? [] : [{ bearer: [permission] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responses(endpoint, making),
  };
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
    ...(plus === "+" && { description: "May have several segments, with their slashes." }),
  }));
}

function parameterSchema(name: string): JsonObject {
  const format = Object.hasOwn(parameterFormats, name) ? parameterFormats[name] : undefined;
  if (!format) return {};
  const { pattern, text } = format;
  // A pattern of JSON Schema has no flags.
  return {
    pattern: pattern.flags.includes("i") ? anyCase(pattern.source) : pattern.source,
    description: text,
  };
}

/** The forms that ignore letter case are those of hex digits. */
function anyCase(source: string): string {
  return source.replaceAll("a-f", "a-fA-F");
}

function queryParameters({ query }: Endpoint, making: Making): JsonObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input", making) as {
    properties?: Record<string, JsonObject>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
    ...(schema["type"] === "object" && { style: "deepObject", explode: true }),
    ...(schema["type"] === "array" && { style: "form", explode: false }),
  }));
}

function requestBody({ request, form: fields }: Endpoint, making: Making): JsonObject | undefined {
  const schema = request ?? fields;
  if (!schema) return undefined;
  const type = request ? "application/json" : "multipart/form-data";
  return { required: true, content: { [type]: { schema: schemaOf(schema, "input", making) } } };
}

function responses(endpoint: Endpoint, making: Making): JsonObject {
  const shape = (making.everywhere && endpoint.responseEverywhere) || endpoint.response;
  const refused = endpoint.plainTextErrors
    ? plainRefusal(making.wire)
    : { $ref: "#/components/responses/Failure" };
  return {
    200: {
      description: "Done.",
      headers: traceHeader(making.wire),
      content: contentOf(shape, making),
    },
    ...(endpoint.plainTextErrors && {
      304: { description: "Not modified.", headers: traceHeader(making.wire) },
    }),
    "4XX": refused,
    "5XX": { $ref: "#/components/responses/Failure" },
  };
}

function contentOf({ json, contentTypes }: ResponseSchema, making: Making): JsonObject {
  if (json) return { "application/json": { schema: schemaOf(json, "output", making) } };
  return Object.fromEntries(contentTypes.map((type) => [type, {}]));
}

function plainRefusal(wire: WireNames): JsonObject {
  const text = { schema: { type: "string" } };
  return {
    description: "Why the image was not delivered.",
    headers: { ...traceHeader(wire), [wire.imageErrorHeader]: { schema: { type: "string" } } },
    content: { "text/plain": text },
  };
}

function traceHeader({ traceHeader: name }: WireNames): JsonObject {
  return { [name]: { description: "Tells this answer from all others.", schema: { type: "string" } } };
}

/** The JSON Schema of a zod schema; what has a name goes to the document's components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", { wire, schemas }: Making): JsonObject {
  const { $schema, $defs = {}, ...own } = outward(z.toJSONSchema(schema, { io }), wire) as JsonObject;
  Object.assign(schemas, $defs);
  return own;
}

/** Names of members on the wire, and references into the document. */
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
