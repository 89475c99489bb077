/** Sends requests to a handler through a server on this machine, as clients do. */
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as sendRequest,
} from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FetchHandler } from "../../src/http/handler.ts";
import { serveOnNode } from "../../src/http/node-server.ts";

const handlers = new Map<string, FetchHandler>();
/** Names the handler of a request, so that one server is enough for all. */
const handlerHeader = "x-test-handler";
/** The handler sees the address that the test used, as it does behind a proxy. */
const addressHeader = "x-test-address";

// A connection for each request: the server may end an idle one at any time.
const agent = new Agent({ keepAlive: false });

const server = await serveOnNode(
  (request) => {
    const handler = handlers.get(request.headers.get(handlerHeader) ?? "");
    const url = request.headers.get(addressHeader) ?? request.url;
    if (!handler) throw new Error("the request names no handler");
    return handler(Object.defineProperty(request, "url", { value: url }));
  },
  { port: 0 },
);

/** The handler, behind a socket. */
export function overSocket(handler: FetchHandler): FetchHandler {
  const name = String(handlers.size);
  handlers.set(name, handler);
  return Object.assign((request: Request) => send(request, name), { reject: handler.reject });
}

async function send(request: Request, name: string): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const options: RequestOptions = {
    agent,
    method: request.method,
    path: `${pathname}${search}`,
    headers: {
      ...Object.fromEntries(request.headers),
      host,
      [handlerHeader]: name,
      [addressHeader]: request.url,
    },
  };
  const { first, rest } = await beginning(request);
  const { promise, resolve, reject } = withResolvers<IncomingMessage>();
  const outgoing = sendRequest(server.url, options, resolve).on("error", reject);
  if (rest) {
    outgoing.flushHeaders();
    if (first.byteLength > 0) outgoing.write(first);
    // The server may answer and close before the end of the body.
    void pump(rest, outgoing).then(
      () => outgoing.end(),
      () => outgoing.destroy(),
    );
  } else {
    // Node.js sends the body of a DELETE without its length.
    if (request.method === "DELETE" && first.byteLength > 0 && !outgoing.hasHeader("content-length"))
      outgoing.setHeader("content-length", first.byteLength);
    outgoing.end(first);
  }
  return toResponse(await promise, request.method);
}

interface Beginning {
  readonly first: Uint8Array;
  /** Present when the body has more than one chunk, so that its length is unknown. */
  readonly rest?: AsyncIterable<Uint8Array>;
}

/** Time in which the whole body must be there, so that its length is known. */
const promptMs = 200;

/** Clients know the length of most bodies; here, of those that are there at once. */
async function beginning({ body }: Request): Promise<Beginning> {
  if (!body) return { first: new Uint8Array() };
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  const late = sleep(promptMs, undefined);
  let next = reader.read();
  for (let size = 0; size < 100_000; ) {
    const read = await Promise.race([next, late]);
    if (!read) break;
    if (read.done) return { first: Buffer.concat(chunks) };
    chunks.push(read.value);
    size += read.value.byteLength;
    next = reader.read();
  }
  // An error of the body is reported when the rest is sent.
  next.catch(() => {});
  return { first: Buffer.concat(chunks), rest: remaining(reader, next) };
}

async function* remaining(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  begun: ReturnType<typeof reader.read>,
): AsyncGenerator<Uint8Array> {
  for (let next = await begun; !next.done; next = await reader.read()) yield next.value;
}

async function pump(chunks: AsyncIterable<Uint8Array>, outgoing: ClientRequest): Promise<void> {
  for await (const chunk of chunks) {
    if (outgoing.destroyed) return;
    outgoing.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function toResponse(incoming: IncomingMessage, method: string): Promise<Response> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const { statusCode: status = 0, rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (!["connection", "keep-alive", "date", "transfer-encoding"].includes(name))
      headers.append(name, rawHeaders[i + 1]!);
  }
  const hasNoBody = method === "HEAD" || status === 204 || status === 304;
  return new Response(hasNoBody ? null : Buffer.concat(chunks), { status, headers });
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
