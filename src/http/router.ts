/** Routing by hono. A router is built once for its addresses and serves every edge that has the same ones. */

import { Hono } from "hono";
import { addTo } from "../core/groups.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { WireNames } from "./wire-names.ts";

/** The handler of one edge for a request; given with each request, so that edges share a router. */
export interface Served {
  /** The path to route; on batch hosts after {@link batchRoot}. */
  pathOf(request: Request): string;
  /** Called first with the endpoints of the path; what it returns is the response. */
  enter(rows: readonly Endpoint[], request: Request): Response | undefined;
  serve(endpoint: Endpoint, request: Request, match: Match): Response | Promise<Response>;
  /** None of the path's endpoints has the request's method. */
  rejectMethod(request: Request, rows: readonly Endpoint[]): Response;
  /** No endpoint has the path. */
  rejectPath(request: Request): Response;
}

/** The parameters and the host of a matched path. */
export interface Match {
  readonly params: Readonly<Record<string, string>>;
  /** Whether the path is one of a batch host, so that the account is that of the token. */
  readonly isBatch: boolean;
}

/** Begins the paths of batch hosts; a URL has no such characters. */
export const batchRoot = "/<batch>";

interface Router {
  /** Rejects with what `Served` throws. */
  fetch(request: Request, served: Served): Response | Promise<Response>;
}

/** Maximum number of routers that are kept for a list of endpoints: hosts with many base paths are rare. */
const maxRouters = 8;

const routers = new WeakMap<readonly Endpoint[], Map<string, Router>>();

/** The router of endpoints under a base path. Building one takes some milliseconds, so the last ones are kept. */
export function routerOf(endpoints: readonly Endpoint[], wire: WireNames, basePath: string): Router {
  const kept = routers.get(endpoints) ?? new Map<string, Router>();
  routers.set(endpoints, kept);
  const key = `${wire.intel}/${wire.app_service}${basePath}`;
  const router = kept.get(key) ?? createRouter(endpoints, wire, basePath);
  kept.delete(key);
  kept.set(key, router);
  const [oldest] = kept.keys();
  if (kept.size > maxRouters && oldest !== undefined) kept.delete(oldest);
  return router;
}

function createRouter(endpoints: readonly Endpoint[], wire: WireNames, basePath: string): Router {
  const app = new Hono<{ Bindings: Served }>({
    // Hono gives the environment of the request, whose type it does not know here.
    getPath: (request, given) => (given as { readonly env: Served }).env.pathOf(request),
  });
  for (const { pattern, rows, isBatch } of byPath(endpoints, wire, basePath)) {
    const byMethod = new Map<string, Endpoint>(rows.map((row) => [row.method, row]));
    // One route for all methods: hono calls a single match without its chain of middleware.
    app.all(pattern, (c) => {
      const request = c.req.raw;
      const { method } = request;
      if (isBatch && !rows.some((row) => row.onBatchHosts)) return c.env.rejectPath(request);
      const first = c.env.enter(rows, request);
      if (first) return first;
      const row = byMethod.get(method === "HEAD" ? "GET" : method);
      if (!row) return c.env.rejectMethod(request, rows);
      const params = row.takesRawPath ? { path: c.req.path } : c.req.param();
      return c.env.serve(row, request, { params, isBatch });
    });
  }
  app.onError((error) => {
    throw error;
  });
  app.notFound((c) => c.env.rejectPath(c.req.raw));
  return app;
}

interface Route {
  readonly pattern: string;
  readonly rows: readonly Endpoint[];
  readonly isBatch: boolean;
}

/** Endpoints by path pattern; patterns with parameters of several segments come last. */
function byPath(endpoints: readonly Endpoint[], wire: WireNames, base: string): readonly Route[] {
  const routes = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const path = patternOf(endpoint.path, wire);
    const [, ofImages] = /^\/accounts\/:account_id(\/images\/.*)$/.exec(path) ?? [];
    const patterns = [`${endpoint.mount === "origin" ? "" : base}${path}`];
    // Also paths that batch hosts do not have: the id of an image may have slashes, and would match these paths.
    if (ofImages !== undefined) patterns.push(`${batchRoot}${ofImages}`);
    for (const pattern of patterns) addTo(routes, pattern, endpoint);
  }
  const greedy = (pattern: string) => (pattern.includes("{.+}") ? (pattern.endsWith("{.+}") ? 2 : 1) : 0);
  return [...routes]
    .map(([pattern, rows]) => ({ pattern, rows, isBatch: pattern.startsWith(batchRoot) }))
    .sort((a, b) => greedy(a.pattern) - greedy(b.pattern) || specificity(a.pattern, b.pattern));
}

/** A literal segment sorts before a parameter at the same position. */
function specificity(a: string, b: string): number {
  const order = (pattern: string) => pattern.replaceAll(/:[^/]+/g, "~");
  return order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0;
}

export function withWireNames(path: string, wire: WireNames): string {
  return path.replace("{intel}", wire.intel).replace("{app_service}", wire.app_service);
}

function patternOf(path: string, wire: WireNames): string {
  return withWireNames(path, wire)
    .replaceAll(/\{(\w+)\+\}/g, ":$1{.+}")
    .replaceAll(/\{(\w{2,})\}/g, ":$1");
}
