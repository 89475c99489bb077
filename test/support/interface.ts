/** Validates responses against the OpenAPI document, for both wire names and both settings of the envelopes. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { runSteps } from "../../src/core/work/steps.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { type JsonObject, type OpenApiDocument, openApiDocument } from "../../src/http/openapi.ts";

const basePath = "/client/v4";

interface Spoken {
  readonly paths: readonly { readonly form: RegExp; readonly template: string }[];
  readonly document: OpenApiDocument;
  readonly ajv: Ajv2020;
  readonly compiled: Map<string, ValidateFunction>;
}

/** The expected response of a request, by one document. */
interface Place {
  readonly template: string;
  readonly operation: JsonObject | undefined;
}

const spoken: readonly Spoken[] = (["spec", "provider"] as const).flatMap((wireNames) =>
  (["spec", "everywhere"] as const).map((envelopes) => {
    const document = runSteps(openApiDocument(endpoints, { wireNames, envelopes, basePath }));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, "document");
    return { document, paths: pathsOf(document), ajv, compiled: new Map() };
  }),
);

/** Path templates as patterns, the most literal ones first. */
function pathsOf(document: OpenApiDocument) {
  const literal = (template: string) => template.replaceAll(/\{\w+\}/g, "").length;
  return Object.keys(document.paths)
    .sort((a, b) => literal(b) - literal(a))
    .map((template) => {
      const base = document.paths[template]!["servers"] ? "" : basePath;
      const several = /\{(image_id|path|transformation)\}/g;
      const source = template.replaceAll(several, ".+").replaceAll(/\{\w+\}/g, "[^/]+");
      return { template, form: new RegExp(`^${base}${source.replaceAll(".json", "\\.json")}$`) };
    });
}

function placeOf({ paths, document }: Spoken, path: string, method: string): Place | undefined {
  const template = paths.find(({ form }) => form.test(path))?.template;
  if (template === undefined) return undefined;
  return { template, operation: document.paths[template]![method.toLowerCase()] as JsonObject | undefined };
}

/** The response, after its validation against the document. */
export async function held(request: Request, response: Response): Promise<Response> {
  const { pathname } = new URL(request.url);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const faults: string[] = [];
  for (const exchange of spoken) {
    const place = placeOf(exchange, pathname, method);
    if (!place) continue;
    const fault = await faultOf(exchange, place, request, response);
    if (fault === undefined) return response;
    faults.push(fault);
  }
  if (faults.length > 0)
    expect.fail(`${request.method} ${pathname} ${response.status}: ${faults.join("; ")}`);
  return response;
}

async function faultOf(exchange: Spoken, place: Place, request: Request, response: Response) {
  const isRejection = response.status >= 400;
  const undeclared = isRejection && place.operation ? await undeclaredCodes(place.operation, response) : [];
  if (undeclared.length > 0) return `the error codes ${undeclared.join(", ")} are not documented`;
  const answers = place.operation?.["responses"] as Readonly<Record<string, JsonObject>> | undefined;
  const exact = String(response.status);
  const isExact = !isRejection || (answers !== undefined && Object.hasOwn(answers, exact));
  const status = isExact ? exact : `${exact[0]}XX`;
  if (!answers && !isRejection) return `${place.template} has no such method`;
  const answer = answers?.[status];
  if (answers && !answer) return `the status is not documented`;
  if (response.status === 304 || response.status === 302) return undefined;
  if (response.status === 204) return response.body === null ? undefined : "the response has a body";
  const type = (response.headers.get("content-type") ?? "").replace(/;.*/, "");
  const failure = "/components/responses/Failure";
  const at =
    answer && !("$ref" in answer)
      ? `/paths/${escaped(place.template)}/${method(request)}/responses/${status}`
      : failure;
  const content = contentAt(exchange.document, at);
  if (!Object.hasOwn(content, type)) return `the content type ${type} is not documented`;
  if (request.method === "HEAD" || type !== "application/json") return undefined;
  const validate = validatorOf(exchange, `${at}/content/application~1json/schema`);
  if (validate(JSON.parse(await response.clone().text()))) return undefined;
  return JSON.stringify(validate.errors);
}

/** Codes of the response that the operation does not document. */
async function undeclaredCodes(operation: JsonObject, response: Response): Promise<readonly number[]> {
  const text = await response.clone().text();
  const codes = text.startsWith("{")
    ? ((JSON.parse(text).errors ?? []) as readonly { readonly code: number }[]).map(({ code }) => code)
    : [...text.matchAll(/^ERROR (\d+)/g)].map(([, code]) => Number(code));
  const declared = operation["x-error-codes"] as readonly number[];
  return codes.filter((code) => !declared.includes(code));
}

function method(request: Request): string {
  return request.method === "HEAD" ? "get" : request.method.toLowerCase();
}

function escaped(template: string): string {
  return template.replaceAll("~", "~0").replaceAll("/", "~1");
}

function contentAt(document: OpenApiDocument, at: string): JsonObject {
  const names = at
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = names.reduce<JsonObject>((value, name) => value[name] as JsonObject, {
    ...document,
  } as JsonObject);
  return found["content"] as JsonObject;
}

function validatorOf({ ajv, compiled }: Spoken, pointer: string): ValidateFunction {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
  compiled.set(pointer, known);
  return known;
}

/** A handler whose responses are all validated against the document. */
export function validating<H extends (request: Request) => Promise<Response>>(fetch: H) {
  return async (request: Request) => held(request, await fetch(request));
}
