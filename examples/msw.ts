/** Sends every request to one origin to the simulator, in this process, with msw as the interceptor. */
import type { Edge } from "edgeproof";
import { http } from "msw";
import { type SetupServer, setupServer } from "msw/node";

/** Requests to other origins are errors: msw 2 and msw 3 have different names for that option. */
const rejectOthers = { onUnhandledRequest: "error", onUnhandledFrame: "error" } as const;

/** Intercepts the requests to an origin until `close()` of the returned server is called. */
export function mountOnMsw(edge: Edge, origin: string): SetupServer {
  const server = setupServer(http.all(`${origin}/*`, ({ request }) => edge.fetch(request)));
  server.listen(rejectOthers);
  return server;
}
