/** The connections of a server and the requests under way on them, so that it can stop without waiting for clients. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Connections {
  /** Registers a request; once the server is closing, its response ends the connection. */
  begin(response: ServerResponse): void;
  /** Marks a response that ends only when the client leaves. */
  markEndless(response: ServerResponse): void;
  /**
   * Stops listening and ends every connection without a request under way; responses under way get
   * `Connection: close`. Ends the remaining connections after the grace period. Further calls return the same promise.
   */
  close(graceMs: number): Promise<void>;
}

export function trackConnections(server: Server): Connections {
  const underWay = new Map<Socket, Set<ServerResponse>>();
  const endless = new WeakSet<ServerResponse>();
  let closed: Promise<void> | undefined;

  server.on("connection", (socket: Socket) => {
    underWay.set(socket, new Set());
    socket.once("close", () => underWay.delete(socket));
  });

  function endAllWithoutRequest(): void {
    for (const [socket, responses] of underWay) {
      if ([...responses].every((response) => endless.has(response))) socket.destroy();
      for (const response of responses) response.shouldKeepAlive = false;
    }
  }

  async function close(graceMs: number): Promise<void> {
    const stopped = new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    endAllWithoutRequest();
    const timer = setTimeout(() => {
      for (const socket of underWay.keys()) socket.destroy();
    }, graceMs);
    await stopped.finally(() => clearTimeout(timer));
  }

  return {
    begin(response) {
      const { socket } = response;
      if (!socket) return;
      const responses = underWay.get(socket);
      responses?.add(response);
      if (closed) response.shouldKeepAlive = false;
      response.once("close", () => {
        responses?.delete(response);
        // Its headers may have been sent before the server began to close.
        if (closed && responses?.size === 0) socket.destroySoon();
      });
    },
    markEndless(response) {
      endless.add(response);
      if (closed) endAllWithoutRequest();
    },
    close(graceMs) {
      closed ??= close(graceMs);
      return closed;
    },
  };
}
