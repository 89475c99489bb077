/**
 * Every request of undici's to one origin goes to the simulator, beside whatever else a MockAgent answers. A reply of
 * MockAgent's own must know its status at once, so the simulator is reached over a socket.
 */
import type { Edge } from "edgeproof";
import { type NodeServer, serveOnNode } from "edgeproof/http";
import { type MockAgent, setGlobalDispatcher } from "undici";

/** Call `close()` of what comes back when the tests are done. */
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
