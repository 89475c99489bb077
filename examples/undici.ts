/**
 * Sends every request of undici to one origin to the simulator; the other replies of the MockAgent keep working. A reply
 * of MockAgent needs its status at once, so the simulator is reached over a socket.
 */
import type { Edge } from "edgeproof";
import { type NodeServer, serveOnNode } from "edgeproof/http";
import { type MockAgent, setGlobalDispatcher } from "undici";

/** Redirects the requests to an origin until `close()` of the returned server is called. */
export async function mountOnMockAgent(edge: Edge, origin: string, agent: MockAgent): Promise<NodeServer> {
  const server = await serveOnNode(edge.fetch, { port: 0 });
  agent.enableNetConnect(new URL(server.url).host);
  setGlobalDispatcher(
    agent.compose((dispatch) => (request, handler) => {
      return dispatch(request.origin === origin ? { ...request, origin: server.url } : request, handler);
    }),
  );
  return server;
}
