/** Every request to one origin goes to the simulator, in this process: msw as the interceptor. */
import type { Edge } from "edgeproof";
import { http } from "msw";
import { type SetupServer, setupServer } from "msw/node";

/** Call `close()` of what comes back when the tests are done. */
export function mountOnMsw(edge: Edge, origin: string): SetupServer {
  const server = setupServer(http.all(`${origin}/*`, ({ request }) => edge.fetch(request)));
  server.listen({ onUnhandledRequest: "error" });
  return server;
}
