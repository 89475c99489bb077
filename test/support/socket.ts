/** Talks to a server byte by byte. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Connection {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything that was received when the connection has ended. */
  readonly ended: Promise<string>;
  /** Resolves when the received text matches. */
  waitFor(pattern: RegExp): Promise<string>;
}

/** Opens a connection and sends the text. */
export function connectTo(url: string, text = ""): Promise<Connection> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname.replace(/^\[(.*)\]$/, "$1"));
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      received += chunk;
    });
    const ended = new Promise<string>((end) => socket.on("close", () => end(received)));
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject).on("error", () => {});
      if (text !== "") socket.write(text);
      const waitFor = async (pattern: RegExp) => {
        for (;;) {
          if (pattern.test(received)) return received;
          if (socket.destroyed) throw new Error(`the connection ended after ${JSON.stringify(received)}`);
          await Promise.race([once(socket, "data"), ended]);
        }
      };
      resolve({ socket, received: () => received, ended, waitFor });
    });
  });
}

/** Sends one request, and returns the whole response. The request must ask for `Connection: close`. */
export async function exchange(url: string, text: string): Promise<string> {
  return (await connectTo(url, text)).ended;
}

/** The head of a request; `Host` is part of the headers. */
export function requestHead(line: string, ...headers: readonly string[]): string {
  return `${[line, ...headers].join("\r\n")}\r\n\r\n`;
}

/** The status of a response; 0 for anything else. */
export function statusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
}
