/** Sends every request to one origin to the simulator, in this process, with msw as the interceptor. */
import type { Edge } from "edgeproof";
import { http } from "msw";
import { type SetupServer, setupServer } from "msw/node";

/** Intercepts the requests to an origin until `close()` of the returned server is called. */
export function mountOnMsw(edge: Edge, origin: string): SetupServer {
  const server = setupServer(http.all(`${origin}/*`, ({ request }) => edge.fetch(request)));
  server.listen({ onUnhandledRequest: "error" });
  return server;
}
