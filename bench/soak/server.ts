/** A server of its own process that requests can be sent to, and that reports its memory and handles. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

/** Measures of the process since the last ones. */
export interface Measure {
  /** Memory in bytes after a forced collection. */
  readonly heapUsed: number;
  readonly rss: number;
  /** Open handles. */
  readonly handles: readonly string[];
  /** By the header `x-kind`. */
  readonly requests: Readonly<Record<string, readonly RequestMeasure[]>>;
  /** The longest time in which no other request had a turn, in milliseconds of processor time. */
  readonly longestBlockMs: number;
}

/** Milliseconds from the begin of a request to its end, inside the server. */
export interface RequestMeasure {
  readonly totalMs: number;
  /** Processor time of the main thread, also for other requests. */
  readonly workedMs: number;
  /** Time in which the main thread had work and no processor: that of other programs. Linux only; 0 elsewhere. */
  readonly waitedMs: number;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Received {
  readonly status: number;
  readonly body: Buffer;
}

/** A running server. */
export interface SoakServer {
  /** Sends a request to a path of the origin. */
  send(path: string, sent?: Sent): Promise<Received>;
  /** @param snapshot file for a snapshot of the heap */
  measure(snapshot?: string): Promise<Measure>;
  /** Ends idle connections of clients. */
  disconnect(): void;
  /** Stops it, and returns its exit code. */
  stop(): Promise<number | null>;
}

const probe = fileURLToPath(new URL("./probe.mjs", import.meta.url));

/** @param words options of `edgeproof serve` */
export async function startServer(words: readonly string[]): Promise<SoakServer> {
  const child = fork("dist/cli/main.js", ["serve", "--port", "0", ...words], {
    execArgv: ["--expose-gc", "--import", probe],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const origin = /http:\/\/[^/\s]+/.exec(line.toString())?.[0];
  if (origin === undefined) throw new Error(`the server printed ${line}`);
  const agent = new Agent({ keepAlive: true });
  return {
    send: (path, sent) => exchange(agent, `${origin}${path}`, sent),
    measure: (snapshot) => measure(child, snapshot),
    disconnect: () => agent.destroy(),
    stop: async () => {
      agent.destroy();
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      return child.exitCode;
    },
  };
}

function exchange(agent: Agent, url: string, { method = "GET", headers = {}, body }: Sent = {}) {
  return new Promise<Received>((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function measure(child: ChildProcess, snapshot?: string): Promise<Measure> {
  child.send({ snapshot });
  return ((await once(child, "message")) as [Measure])[0];
}
