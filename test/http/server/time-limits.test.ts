/** Time limits of connections, with limits of some milliseconds. */
import { afterEach, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import {
  type NodeServer,
  type ServedHandler,
  serveOnNode,
  serveWithLimits,
} from "../../../src/http/node-server.ts";
import { type Connection, connectTo, requestHead, statusOf } from "../../support/socket.ts";

const limits = { headersMs: 150, bodyMs: 150, windowMs: 50, minBytesPerSecond: 1_000 };

let server: NodeServer | undefined;
afterEach(() => server?.close());

async function start(handler: ServedHandler = createEdge().fetch, keepAliveMs = 60_000): Promise<NodeServer> {
  server = await serveWithLimits(handler, { port: 0, graceMs: 100, keepAliveMs }, limits);
  return server;
}

const upload = requestHead("POST / HTTP/1.1", "Host: localhost", "Content-Length: 1000000");
const get = requestHead("GET /health HTTP/1.1", "Host: localhost");
const connections = 100;

test.each<[title: string, text: string]>([
  ["are silent", ""],
  ["stop in their headers", "GET / HTTP/1.1\r\nHost: localhost\r\nX-"],
  ["stop in their body", `${upload}abc`],
  [
    "stop in a chunk",
    `${requestHead("POST / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked")}ff\r\nabc`,
  ],
  ["stop in the headers of their second request", `${get}GET / HTTP/1.1\r\nX-`],
])("all connections that %s are answered with 408 and closed", async (_title, text) => {
  const { url } = await start();
  const all = await Promise.all(Array.from({ length: connections }, () => connectTo(url, text)));
  const received = await Promise.all(all.map(({ ended }) => ended));
  const last = received.map((answers) => statusOf(answers.slice(answers.lastIndexOf("HTTP/1.1 "))));
  expect(last).toEqual(Array(connections).fill(408));
});

/** Writes a piece again and again until the connection is closed, or as often as given. */
async function drip({ socket }: Connection, piece: string, everyMs: number, times: number): Promise<number> {
  for (let n = 0; n < times; n++) {
    if (socket.destroyed) return n;
    socket.write(piece);
    await new Promise((resume) => setTimeout(resume, everyMs));
  }
  return times;
}

test("a body that arrives below the minimum rate is answered with 408, one above it is read to its end", async () => {
  const { url } = await start(async (request) => new Response(`${(await request.text()).length} bytes`));
  const slow = await connectTo(url, upload);
  const size = 20 * 1_000;
  const steady = await connectTo(
    url,
    requestHead("POST / HTTP/1.1", "Host: localhost", `Content-Length: ${size}`, "Connection: close"),
  );
  const [slowWrites] = await Promise.all([
    drip(slow, "x", 20, 1_000),
    drip(steady, "x".repeat(1_000), 20, 20),
  ]);
  expect(slowWrites).toBeLessThan(1_000);
  expect(statusOf(await slow.ended)).toBe(408);
  expect(await steady.ended).toMatch(/20000 bytes$/);
});

test("a slow body behind a response that has begun ends the connection without another answer", async () => {
  const { url } = await start(async ({ body }) => new Response(body));
  const connection = await connectTo(url, `${upload}abc`);
  expect((await connection.ended).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
});

test("an event stream without a request body has no limit", async () => {
  const { url } = await start(
    async () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } }),
  );
  const stream = await connectTo(url, get);
  await stream.waitFor(/event-stream/);
  // All limits have passed when this one is closed.
  const silent = await connectTo(url);
  await silent.ended;
  const next = await connectTo(url);
  await next.ended;
  expect(stream.socket.destroyed).toBe(false);
});

test("an idle connection is kept for the time that is set, and answered with `Keep-Alive`", async () => {
  const { url } = await start(createEdge().fetch, 1_000);
  const connection = await connectTo(url, get);
  expect(await connection.ended).toMatch(/^keep-alive: timeout=1\r$/im);
});

test("with 0, no idle connection is kept", async () => {
  const { url } = await start(createEdge().fetch, 0);
  const connection = await connectTo(url, get);
  expect(await connection.ended).toMatch(/^connection: close\r$/im);
});

test("the default is 5 seconds", async () => {
  server = await serveOnNode(createEdge().fetch, { port: 0 });
  const connection = await connectTo(server.url, get);
  expect(await connection.waitFor(/\}$/)).toMatch(/^keep-alive: timeout=5\r$/im);
});

test.each([-1, Number.NaN, 2 ** 31])("a time of idle connections of %s is rejected", (keepAliveMs) => {
  expect(() => serveOnNode(async () => new Response(), { port: 0, keepAliveMs })).toThrow(/keepAliveMs/);
});
