/** A way to a server that can be cut, or swallow all that is sent. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface CuttableProxy {
  readonly port: number;
  /** Ends all connections and takes no more. */
  cut(): Promise<void>;
  /** Keeps connections and takes more, but passes nothing on. */
  freeze(): void;
  /** Ends what was frozen, and works again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(target: { host: string; port: number }): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }

  function forward(from: Socket, to: Socket): void {
    from.on("data", (chunk) => {
      if (!frozen) to.write(chunk);
    });
    from.on("close", () => to.destroy());
  }

  async function listen(port: number): Promise<Server> {
    const server = createServer((client) => {
      const upstream = keep(connect(target));
      forward(keep(client), upstream);
      forward(upstream, client);
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return server;
  }

  function endAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    const closed = server && once(server, "close");
    server?.close();
    server = undefined;
    endAll();
    await closed;
  };
  return {
    port,
    cut,
    freeze: () => {
      frozen = true;
    },
    restore: async () => {
      if (frozen) endAll();
      frozen = false;
      server ??= await listen(port);
    },
    close: cut,
  };
}
