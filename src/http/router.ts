/** Routing by hono. A router is built once for its addresses and serves every edge that has the same ones. */
import { Hono } from "hono";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { WireNames } from "./wire-names.ts";

/** The handler of one edge for a request; given with each request, so that edges share a router. */
export interface Served {
  /** The path to route. */
  pathOf(request: Request): string;
  /** Called first with the endpoints of the path; what it returns is the response. */
  enter(rows: readonly Endpoint[], request: Request): Response | undefined;
  serve(
    endpoint: Endpoint,
    request: Request,
    params: Readonly<Record<string, string>>,
  ): Response | Promise<Response>;
  /** None of the path's endpoints has the request's method. */
  rejectMethod(request: Request, rows: readonly Endpoint[]): Response;
  /** No endpoint has the path. */
  rejectPath(request: Request, path: string): Response;
}

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
  for (const { pattern, rows } of byPath(endpoints, wire, basePath)) {
    const byMethod = new Map<string, Endpoint>(rows.map((row) => [row.method, row]));
    // One route for all methods: hono calls a single match without its chain of middleware.
    app.all(pattern, (c) => {
      const request = c.req.raw;
      const { method } = request;
      const first = c.env.enter(rows, request);
      if (first) return first;
      const row = byMethod.get(method === "HEAD" ? "GET" : method);
      if (!row) return c.env.rejectMethod(request, rows);
      return c.env.serve(row, request, row.takesRawPath ? { path: c.req.path } : c.req.param());
    });
  }
  app.onError((error) => {
    throw error;
  });
  app.notFound((c) => c.env.rejectPath(c.req.raw, c.req.path));
  return app;
}

interface Route {
  readonly pattern: string;
  readonly rows: readonly Endpoint[];
}

/** Endpoints by path pattern; patterns with parameters of several segments come last. */
function byPath(endpoints: readonly Endpoint[], wire: WireNames, base: string): readonly Route[] {
  const routes = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const pattern = `${endpoint.mount === "origin" ? "" : base}${patternOf(endpoint.path, wire)}`;
    routes.set(pattern, [...(routes.get(pattern) ?? []), endpoint]);
  }
  const greedy = (pattern: string) => (pattern.includes("{.+}") ? (pattern.endsWith("{.+}") ? 2 : 1) : 0);
  return [...routes]
    .map(([pattern, rows]) => ({ pattern, rows }))
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
