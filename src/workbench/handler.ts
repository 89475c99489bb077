/** The fetch handler of a workbench: the guard, the files of the page, and the data that the page asks for. */
import type { Edge } from "../edge.ts";
import { quote } from "../errors.ts";
import { decodeQuery } from "../http/requests/query.ts";
import { anInteger, withDefault } from "../schemas/parameters.ts";
import { type DataEndpoint, type DataEndpoints, queryOf } from "./data/data-endpoint.ts";
import { createGuard, dataPath, type GuardOptions } from "./guard/guard.ts";
import { readJsonBody } from "./guard/request-body.ts";
import { RequestFault, rejectionOf } from "./guard/request-fault.ts";
import { securityHeaders } from "./guard/security-headers.ts";
import type { EventLog } from "./log/event-log.ts";
import type { LogEntry, Rejection } from "./messages.ts";
import type { PageFiles } from "./page-files.ts";

/** The contents of a handler. */
export interface WorkbenchParts {
  readonly edge: Edge;
  readonly guard: GuardOptions;
  readonly files: PageFiles;
  readonly endpoints: DataEndpoints;
  readonly log: EventLog<LogEntry>;
  /** Called with each unexpected error. */
  readonly onError?: (error: unknown) => void;
}

/** Responds to a request; never rejects. */
export interface WorkbenchHandler {
  (request: Request): Promise<Response>;
  /** The response to bytes that cannot be read as a `Request`. */
  reject(message: string, status?: number): Response;
}

/** Maximum size of a JSON body unless the endpoint has its own. */
const defaultMaxBytes = 1024 * 1024;

/** Creates a handler. */
export function createWorkbenchHandler(parts: WorkbenchParts): WorkbenchHandler {
  const check = createGuard(parts.guard);
  const respond = async (request: Request): Promise<Response> => {
    const rejection = check(request);
    if (rejection) return reject(rejection.message, rejection.status);
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(dataPath)) return pageFile(request, pathname, parts.files);
    return respondData(request, pathname.slice(dataPath.length), parts).catch((error: unknown) =>
      failure(error, parts),
    );
  };
  return Object.assign(respond, { reject });
}

function reject(message: string, status = 400): Response {
  return json({ message, problems: [] } satisfies Rejection, status);
}

/** The two files that change with each version are never kept by the browser; the others have a hash in their name. */
function pageFile({ method }: Request, pathname: string, files: PageFiles): Response {
  const file = files.get(pathname === "/" ? "/index.html" : pathname);
  if (file === undefined) return reject(`There is no file ${quote(pathname)}.`, 404);
  if (method !== "GET" && method !== "HEAD") return methodNotAllowed(method, "GET, HEAD");
  const headers = {
    ...securityHeaders,
    "content-type": file.type,
    "content-length": String(file.bytes.length),
    "cache-control": file.isHashed ? "private, max-age=31536000, immutable" : "no-store",
  };
  return new Response(method === "HEAD" ? null : file.bytes, { headers });
}

async function respondData(request: Request, name: string, parts: WorkbenchParts): Promise<Response> {
  const { search } = new URL(request.url);
  if (name === "log" && request.method === "GET") return json({ entries: parts.log.entries() }, 200);
  if (name === "log/stream" && request.method === "GET") return logStream(search, parts.log);
  const endpoint = Object.hasOwn(parts.endpoints, name) ? parts.endpoints[name] : undefined;
  if (endpoint === undefined) throw new RequestFault(404, `There is no data ${quote(name)}.`);
  if (request.method !== endpoint.method) return methodNotAllowed(request.method, endpoint.method);
  const result = await endpoint.handle({
    edge: parts.edge,
    query: queryOf(endpoint, search),
    body: await readBody(request, endpoint),
    request,
  });
  return result instanceof Response ? withHeaders(result) : json(result, 200);
}

async function readBody(request: Request, endpoint: DataEndpoint): Promise<unknown> {
  if (endpoint.method === "GET" || endpoint.isBinary === true) return undefined;
  return readJsonBody(request, endpoint.maxBytes ?? defaultMaxBytes);
}

const ofStream = { after: withDefault(anInteger({ min: 0 }), 0) };

function logStream(search: string, log: EventLog<LogEntry>): Response {
  const { after } = decodeQuery(ofStream, search, "shared");
  return withHeaders(
    new Response(log.stream(after), { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
  );
}

/** Input of a person is never an internal error: the page shows the message, and each problem at its place. */
function failure(error: unknown, { onError }: WorkbenchParts): Response {
  const rejected = rejectionOf(error);
  if (rejected) return json(rejected.rejection, rejected.status);
  onError?.(error);
  return reject("An unexpected error occurred; the command printed it.", 500);
}

function methodNotAllowed(method: string, allow: string): Response {
  const response = reject(`The method ${quote(method)} is not allowed here; allowed are ${allow}.`, 405);
  response.headers.set("allow", allow);
  return response;
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
  response.headers.set("cache-control", "no-store");
  return response;
}

function json(value: unknown, status: number): Response {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return withHeaders(new Response(JSON.stringify(value), { status, headers }));
}
