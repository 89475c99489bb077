/** The fetch handler: authentication, decoding, and the responses of results and errors. */

import { anyObject, aString, objectWith, requireArgument } from "../core/arguments.ts";
import { decodePercents } from "../core/text/percent-decoding.ts";
import { trimEndOf, trimOf } from "../core/text/trim.ts";
import { ApiError, type Area, type Code, DependencyUnavailableError, problem, quote } from "../errors.ts";
import { genericCodes, type Notes } from "../service/context.ts";
import type { Services } from "../service/services.ts";
import type { Clock } from "../service/time.ts";
import { worldScope } from "../store/records/world.ts";
import {
  type Answer,
  type Call,
  deliveryPath,
  type Endpoint,
  isProbePath,
  methodsOf,
  parameterFormats,
} from "./endpoints/endpoint.ts";
import { answerInstead, faultyAnswer } from "./faults/faulty-answer.ts";
import { type FaultPreferences, requestedFault } from "./faults/prefer.ts";
import { type AnswerRecord, answerRecord, copyCodes, rememberCodes } from "./records/answer-record.ts";
import { notify } from "./records/notify.ts";
import { anyPermission, authenticate, type Credential, forbid } from "./requests/authentication.ts";
import { authenticateBatch, batchAccount, isBatchRequest } from "./requests/batch-host.ts";
import { assertBodyEncoding, assertContentLength } from "./requests/content-type.ts";
import { readJson } from "./requests/json-body.ts";
import { decodeQuery } from "./requests/query.ts";
import { rawAddress } from "./requests/raw-address.ts";
import { addCorsHeaders, assertOrigins, type CorsOption, preflight } from "./responses/cors.ts";
import { envelope, failure, internalFailure, statusOf } from "./responses/envelope.ts";
import { jsonBody } from "./responses/json-text.ts";
import { wholeResponse } from "./responses/whole-body.ts";
import { batchRoot, type Match, routerOf, type Served, withWireNames } from "./router.ts";
import { isBase } from "./server/addresses.ts";
import { assertMayObserve } from "./server/observation-access.ts";
import { type WireNames, wireNames } from "./wire-names.ts";

const aRequest = objectWith({ method: aString, url: aString, headers: anyObject });

/** Addresses of the interface, and reporting of internal errors. */
export interface HandlerOptions {
  /** Path of the interface, with or without a slash at either end; empty for the root. Default `/client/v4` (`spec`). */
  readonly basePath?: string;
  /** Origin of the addresses in responses. Default: the origin of the request. */
  readonly publicBaseUrl?: string;
  /**
   * Origin that only delivers images, at its root. Default: images are delivered on the interface's own origin,
   * under `/cdn-cgi/imagedelivery`.
   */
  readonly deliveryBaseUrl?: string;
  /**
   * Origins whose pages may use upload and delivery addresses (CORS): every origin (`*`), none (`false`), or a list
   * of origins such as `https://app.example.com`. Default `*`. The rest of the interface is never open to pages.
   */
  readonly cors?: CorsOption;
  /**
   * Whether observed names and pictures are accepted at `accounts/{id}/edgeproof/observations`. Default false. Without a
   * list of API tokens, only this process and clients of `serveOnNode` on this machine may send them: behind another
   * server, list API tokens.
   */
  readonly ingest?: boolean;
  /**
   * Whether a request can ask for a fault of its own answer by the header `Prefer`: `code=429`, `code=500`, `code=503`,
   * `delay=2` (seconds), `cut=100` (bytes of the body), `retry-after=3`, `after`. Default false: the header is ignored.
   */
  readonly requestFaults?: boolean;
  /** Called with every internal error and the trace id of its response. Errors that it throws are ignored. */
  readonly onError?: (error: unknown, traceId: string) => void;
  /**
   * Called with the metadata of every answer: no address, header or body. It is not waited for; what it throws or
   * rejects with is ignored.
   */
  readonly onAnswer?: (answer: AnswerRecord) => unknown;
}

/** Responds to every request of the interface. */
export interface FetchHandler {
  /**
   * The response; never throws or rejects: an unexpected error becomes 10002.
   *
   * @throws {TypeError} as `fetch` does without a connection, when a fault is injected that cuts the whole answer off
   */
  (request: Request): Promise<Response>;
  /**
   * The response to bytes that cannot be read as a `Request`.
   *
   * @param message one sentence for the client
   * @param status HTTP status, 400 by default
   * @param code 10400 by default
   */
  reject(message: string, status?: number, code?: Code): Response;
}

/** Path of the interface (`spec`). */
export const defaultBasePath = "/client/v4";

/** Length of a trace id, in hex digits. */
const traceIdLength = 16;

export function createHandler(
  services: Services,
  endpoints: readonly Endpoint[],
  given: HandlerOptions & { readonly clock?: Clock } = {},
): FetchHandler {
  const wire = wireNames[services.settings.wireNames];
  const basePath = cleanBase(given.basePath ?? defaultBasePath);
  const options = { ...given, basePath };
  assertBase("publicBaseUrl", given.publicBaseUrl);
  assertBase("deliveryBaseUrl", given.deliveryBaseUrl);
  const cors = given.cors ?? "*";
  assertOrigins(cors);
  const { onAnswer, clock = Date.now } = given;
  const shared = new WeakSet<Request>();
  const matched = new WeakMap<Request, Endpoint>();
  const struck = new WeakMap<Request, Partial<FaultPreferences> & Pick<FaultPreferences, "effects">>();
  const router = routerOf(endpoints, wire, basePath);
  const served: Served = {
    pathOf: pathFinder(options),
    enter: (rows, request) => {
      if (cors === false || !rows.some((row) => row.crossOrigin)) return;
      shared.add(request);
      return request.method === "OPTIONS" ? preflight() : undefined;
    },
    serve: (row, request, match) => {
      if (onAnswer) matched.set(request, row);
      const run = () => serve(row, request, match, services, wire, options);
      if (isProbePath(row.path)) return run();
      // Counted also when the request asks for another fault.
      const { params } = match;
      const effects = services.faults?.ofRequest({ method: request.method, endpoint: row.id, params });
      const requested = given.requestFaults ? requestedFault(request.headers.get("prefer")) : undefined;
      const fault = requested ?? (effects && { effects });
      if (!fault) return run();
      struck.set(request, fault);
      return answerInstead(fault.effects, request).then((answer) => answer ?? run());
    },
    rejectMethod: methodNotAllowed,
    rejectPath: (request) => {
      assertPercentEncoding(request);
      return json(failure([problem(7003, `No route for the URI ${quote(rawPath(request))}.`)]), 404);
    },
  };
  const respondTo = async (request: Request): Promise<Response> => {
    requireArgument("request", request, aRequest);
    const startMs = onAnswer ? clock() : 0;
    const answer = await traced(request, () => router.fetch(request, served), services, wire, options);
    const fault = struck.get(request);
    const response = fault ? await faultyAnswer(fault.effects, request, answer) : answer;
    if (fault?.applied !== undefined) response.headers.set("preference-applied", fault.applied);
    if (shared.has(request)) addCorsHeaders(response.headers, request, cors);
    notify(onAnswer, () => {
      const row = matched.get(request);
      const traceId = response.headers.get(wire.traceHeader) ?? "";
      const endpoint = row && { id: row.id, path: withWireNames(row.path, wire) };
      return answerRecord(request, endpoint, response, { startMs, endMs: clock(), traceId });
    });
    return response;
  };
  return Object.assign(respondTo, {
    reject: (message: string, status = 400, code: Code = 10400) => {
      const trace = { [wire.traceHeader]: services.ids.hex(traceIdLength) };
      return json(failure([problem(code, message)]), status, trace);
    },
  });
}

/** The path with a leading slash and without a trailing one; empty for the root. */
export function cleanBase(path: string): string {
  const inner = trimOf(path, "/");
  return inner === "" ? "" : `/${inner}`;
}

/** @throws {TypeError} for an address that others cannot be appended to */
function assertBase(name: "publicBaseUrl" | "deliveryBaseUrl", base: string | undefined): void {
  if (base === undefined || isBase(base)) return;
  throw new TypeError(
    `${name} must be an origin such as https://images.example.com, without query and fragment; found ${quote(base)}`,
  );
}

/** The path to route: on the delivery host and on batch hosts, the corresponding path of the router. */
function pathFinder({ deliveryBaseUrl }: HandlerOptions): (request: Request) => string {
  const ownPath = (request: Request) => `${isBatchRequest(request) ? batchRoot : ""}${rawPath(request)}`;
  if (deliveryBaseUrl === undefined) return ownPath;
  const { host } = new URL(deliveryBaseUrl);
  return (request) => {
    const path = rawPath(request);
    const isDelivery = !isProbePath(path) && new URL(request.url).host === host;
    return isDelivery ? `${deliveryPath}${path}` : ownPath(request);
  };
}

/** Hono matches the path as sent, so that an encoded slash stays inside its parameter. */
function rawPath(request: Request): string {
  return rawAddress(request).pathname;
}

function methodNotAllowed(request: Request, rows: readonly Endpoint[]): Response {
  assertPercentEncoding(request);
  const { method } = request;
  const allowed = rows.flatMap(methodsOf);
  const message = `The method ${quote(method)} is not allowed here; allowed are ${allowed.join(", ")}.`;
  return json(failure([problem(10405, message)]), 405, { allow: allowed.join(", ") });
}

async function traced(
  request: Request,
  dispatch: () => Response | Promise<Response>,
  services: Services,
  wire: WireNames,
  options: HandlerOptions,
): Promise<Response> {
  const traceId = services.ids.hex(traceIdLength);
  const response = await call(dispatch).catch((error: unknown) => {
    if (error instanceof ApiError) {
      return json(failure(error.problems), statusOf(error, services.settings.authFailureStatus));
    }
    // A request that its caller has stopped is not an error.
    if (!request.signal.aborted) report(options, error, traceId);
    return json(internalFailure, error instanceof DependencyUnavailableError ? 503 : 500);
  });
  response.headers.set(wire.traceHeader, traceId);
  return request.method === "HEAD" ? withoutBody(response) : response;
}

/** RFC 9110, section 9.3.2: a response to HEAD has no content, error responses included. */
function withoutBody(response: Response): Response {
  const { status, headers } = response;
  return copyCodes(response, new Response(null, { status, headers }));
}

/** Calls `onError`; the response does not depend on it. */
function report({ onError }: HandlerOptions, error: unknown, traceId: string): void {
  try {
    onError?.(error, traceId);
  } catch {
    // An error of the error handler cannot be reported anywhere.
  }
}

/** Calls it so that an error that it throws is a rejection. */
async function call<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}

function assertPercentEncoding(request: Request): void {
  const path = rawPath(request);
  if (decodePercents(path) === undefined)
    throw new ApiError(problem(10400, `The path ${quote(path)} has a malformed percent-encoding.`));
}

async function serve(
  endpoint: Endpoint,
  request: Request,
  { params: given, isBatch }: Match,
  services: Services,
  wire: WireNames,
  options: HandlerOptions & { readonly basePath: string },
): Promise<Response> {
  if (!endpoint.takesRawPath) assertPercentEncoding(request);
  const params = isBatch ? { ...given, account_id: batchAccount(request) } : given;
  const credential = await authorize(endpoint, request, { params, isBatch }, services);
  if (endpoint.takesObservations) assertMayObserve(request, credential, options.ingest === true);
  assertContentLength(request);
  assertBodyEncoding(request);
  const { origin, query } = rawAddress(request);
  const publicBase = trimEndOf(options.publicBaseUrl ?? origin, "/");
  const notes: Notes = [];
  const call: Call = {
    request,
    params,
    query: decodeQuery(endpoint.query ?? {}, query, endpoint.area),
    json: (maxBytes) => readJson(request, services.limits, notes, maxBytes),
    services,
    credential,
    wire,
    publicBase,
    basePath: options.basePath,
    deliveryBase: trimEndOf(options.deliveryBaseUrl ?? `${publicBase}${deliveryPath}`, "/"),
    notes,
  };
  return respond(await endpoint.handle(call), call);
}

async function respond(answer: Answer, { notes }: Call): Promise<Response> {
  if (answer instanceof Response) return answer;
  const isBare = "bare" in answer;
  const body = isBare ? answer.bare : envelope(answer.result, notes, answer.info);
  const text = await jsonBody(body);
  return rememberCodes(jsonResponse(text, 200, isBare ? answer.headers : {}), body);
}

const noCredential: Credential = {
  isKnown: true,
  may: () => false,
  mayZone: () => false,
  mayAccount: () => false,
};

/** Checks the credentials, then the identifiers in the path. */
async function authorize(
  endpoint: Endpoint,
  request: Request,
  { params, isBatch }: Match,
  services: Services,
): Promise<Credential> {
  if (endpoint.permission === undefined) return noCredential;
  const credential = await (isBatch
    ? authenticateBatch(request, services)
    : authenticate(request, services.store));
  checkParameters(params, endpoint.area);
  const { zone_id: zone, account_id: account } = params;
  if (endpoint.permission !== anyPermission && !credential.may(endpoint.permission))
    forbid(zone === undefined ? `account ${account}` : `zone ${zone}`, endpoint.permission);
  if (account !== undefined && !credential.mayAccount(account))
    forbid(`account ${account}`, endpoint.permission);
  // Most credentials do not depend on the zone's account, which is one more transaction.
  const isAllowed =
    zone === undefined ||
    credential.mayZone(zone, undefined) ||
    credential.mayZone(zone, await accountOf(services, zone));
  if (!isAllowed) forbid(`zone ${zone}`, endpoint.permission);
  return credential;
}

async function accountOf({ store }: Services, zone: string): Promise<string | undefined> {
  return (await store.read((tx) => tx.get("zones", worldScope, zone)))?.account_id;
}

function checkParameters(params: Readonly<Record<string, string>>, area: Area): void {
  for (const [name, value] of Object.entries(params)) {
    const rule = Object.hasOwn(parameterFormats, name) ? parameterFormats[name] : undefined;
    if (!rule || rule.pattern.test(value)) continue;
    throw new ApiError(
      problem(
        genericCodes[area].invalid,
        `\`${name}\` in the path must be ${rule.text}; found ${quote(value)}.`,
      ),
    );
  }
}

function json(body: unknown, status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return rememberCodes(jsonResponse(JSON.stringify(body), status, headers), body);
}

function jsonResponse(
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return wholeResponse(body, { status, headers: { "content-type": "application/json", ...headers } });
}
