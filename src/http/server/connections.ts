/** The connections of a server and the requests under way on them, so that it can stop without waiting for clients. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Connections {
  /** Registers a request; once the server is closing, its response ends the connection. */
  begin(response: ServerResponse): void;
  /**
   * Resolves when a response may be sent: at once, except while a server that is closing still listens. A client that is
   * answered then would connect again, and be reset.
   */
  untilAnswerable(): Promise<void> | undefined;
  /** Marks a response that ends only when the client leaves. */
  markEndless(response: ServerResponse): void;
  /**
   * Reads once what has arrived, stops listening, and ends every connection without a request under way; the last response
   * of the others gets `Connection: close`. Ends the remaining connections after the grace period. Further calls return the
   * same promise.
   */
  close(graceMs: number): Promise<void>;
}

/** Turns of the event loop without a new connection after which all that waited are read: the first may be half over. */
const neededQuietTurns = 3;
/** More than connections can wait: new ones that go on arriving do not delay the end. */
const maxTurns = 1_000;

export function trackConnections(server: Server): Connections {
  const underWay = new Map<Socket, Set<ServerResponse>>();
  const endless = new WeakSet<ServerResponse>();
  let closed: Promise<void> | undefined;
  /** Set while a server that is closing listens. */
  let listening: Promise<void> | undefined;

  let opened = 0;
  server.on("connection", (socket: Socket) => {
    opened++;
    underWay.set(socket, new Set());
    socket.once("close", () => underWay.delete(socket));
  });

  function endAllWithoutRequest(): void {
    for (const [socket, responses] of underWay) {
      if ([...responses].every((response) => endless.has(response))) socket.destroy();
      closeAfterLast(responses);
    }
  }

  /** Accepts the connections that wait, and reads what they have sent. The loop accepts one a turn, and reads it in the next. */
  async function readArrived(): Promise<void> {
    let [known, quietTurns] = [opened, 0];
    for (let turn = 0; turn < maxTurns && quietTurns < neededQuietTurns; turn++) {
      await new Promise((resume) => setImmediate(resume));
      quietTurns = opened === known ? quietTurns + 1 : 0;
      known = opened;
    }
  }

  async function close(graceMs: number): Promise<void> {
    for (const responses of underWay.values()) closeAfterLast(responses);
    listening = readArrived();
    await listening;
    listening = undefined;
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
      // A response that waits for one before it has no socket yet.
      const { socket } = response.req;
      const responses = underWay.get(socket);
      responses?.add(response);
      if (closed && responses) closeAfterLast(responses);
      response.once("close", () => {
        responses?.delete(response);
        // Its headers may have been sent before the server began to close.
        if (closed && responses?.size === 0) socket.destroySoon();
      });
    },
    untilAnswerable: () => listening,
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

/** The last response of a connection ends it; one before it must not, or the requests after it get no answer. */
function closeAfterLast(responses: ReadonlySet<ServerResponse>): void {
  const last = [...responses].at(-1);
  for (const response of responses) response.shouldKeepAlive = response !== last;
}
