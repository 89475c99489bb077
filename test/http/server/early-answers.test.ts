/** Answers that do not need the body: each client reads them while it still sends, up to 64 MiB. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openAsBlob } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { type NodeServer, serveOnNode } from "../../../src/http/node-server.ts";
import { temporaryFolder } from "../../store/open.ts";
import { connectTo, requestHead } from "../../support/socket.ts";

const size = 64 * 2 ** 20;
const file = join(await temporaryFolder(), "body");
const edge = createEdge({ limits: { bodyBytes: 1_000 } });
let server: NodeServer;
beforeAll(async () => {
  await writeFile(file, "");
  await truncate(file, size);
  server = await serveOnNode(edge.fetch, { port: 0 });
});
afterAll(async () => {
  await server.close();
  await edge.close();
});

interface Exchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the length of the body is announced. */
  readonly isSized: boolean;
}

/** Sends 64 MiB with POST; returns the status and the code of the answer. */
type Client = (exchange: Exchange) => Promise<readonly [status: number, code: number]>;

const codeOf = (body: string) => JSON.parse(body).errors[0].code;

function* chunks() {
  for (let sent = 0; sent < size; sent += 65_536) yield Buffer.alloc(65_536);
}

const clients: Readonly<Record<string, Client>> = {
  "node:http": async ({ url, headers, isSized }) => {
    const length = isSized ? { "content-length": size } : {};
    const sent = request(url, { method: "POST", headers: { ...headers, ...length } });
    Readable.from(chunks()).pipe(sent);
    const [response] = await once(sent, "response");
    return [response.statusCode, codeOf(await text(response))];
  },
  undici: async ({ url, headers, isSized }) => {
    const body = isSized
      ? await openAsBlob(file)
      : (Readable.toWeb(Readable.from(chunks())) as ReadableStream);
    const response = await fetch(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    return [response.status, codeOf(await response.text())];
  },
  curl: async ({ url, headers, isSized }) => {
    const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const chunked = isSized ? [] : ["-H", "Transfer-Encoding: chunked"];
    const words = [
      "-sS",
      "-X",
      "POST",
      "-T",
      file,
      "-H",
      "Expect:",
      ...given,
      ...chunked,
      "-w",
      "\n%{http_code}",
      url,
    ];
    const child = spawn("curl", words, { stdio: ["ignore", "pipe", "inherit"] });
    const [output, [exit]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(exit).toBe(0);
    const [body = "", status] = output.split("\n");
    return [Number(status), codeOf(body)];
  },
};

const json = { "content-type": "application/json" };
const token = { authorization: "Bearer t" };
const configs = "/client/v4/zones/z1/token_validation/config";

const cases: readonly [
  name: string,
  status: number,
  code: number,
  path: string,
  headers: Record<string, string>,
][] = [
  ["401 without credentials", 401, 9106, configs, json],
  ["413 for a body above the limit", 413, 10413, configs, { ...json, ...token }],
  [
    "413 for an upload above the limit",
    413,
    5413,
    "/client/v4/accounts/a1/images/v1",
    {
      ...token,
      "content-type": "multipart/form-data; boundary=b",
    },
  ],
];

describe.each(Object.keys(clients))("%s reads, while it sends 64 MiB,", (name) => {
  test.each(cases)("%s", { timeout: 60_000 }, async (_name, status, code, path, headers) => {
    const url = `${server.url}${path}`;
    // A client that sends nothing more holds up no other.
    const head = requestHead(`POST ${configs} HTTP/1.1`, "Host: localhost", "Content-Length: 1000");
    const stalled = await connectTo(server.url, `${head}abc`);
    for (const isSized of [true, false])
      expect(await clients[name]!({ url, headers, isSized })).toEqual([status, code]);
    stalled.socket.destroy();
  });
});

test("a body above 64 MiB is not read to its end: the answer ends the connection", async () => {
  const head = requestHead(`POST ${configs} HTTP/1.1`, "Host: localhost", `Content-Length: ${3 * size}`);
  const connection = await connectTo(server.url, head);
  const chunk = Buffer.alloc(2 ** 20);
  let sent = 0;
  connection.socket.on("close", () => {
    sent = Number.POSITIVE_INFINITY;
  });
  while (sent <= size && !/\r\n\r\n/.test(connection.received())) {
    sent += chunk.length;
    await new Promise<void>((resolve) => connection.socket.write(chunk, () => resolve()));
  }
  expect(sent).toBeGreaterThan(size);
  expect(await connection.ended).toMatch(/^HTTP\/1\.1 401 [\s\S]*^connection: close\r$/im);
});

test("a connection is used again after an answer to an unread body", async () => {
  const head = requestHead(`POST ${configs} HTTP/1.1`, "Host: localhost", "Content-Length: 300000");
  const body = "x".repeat(300_000);
  const last = requestHead(`GET ${configs} HTTP/1.1`, "Host: localhost", "Connection: close");
  const connection = await connectTo(server.url, head);
  connection.socket.write(`${body}${head}${body}${last}`);
  expect((await connection.ended).match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill("HTTP/1.1 401"));
});

test("another handler than that of an edge may send a body back while it arrives", async () => {
  const echo = await serveOnNode(async ({ body }) => new Response(body), { port: 0 });
  try {
    const sent = "x".repeat(300_000);
    const response = await fetch(echo.url, { method: "POST", body: sent });
    expect((await response.text()) === sent).toBe(true);
  } finally {
    await echo.close();
  }
});

test("a client reads the last answer of its connection after it has sent a body that is not read", async () => {
  const prompt = await serveOnNode(async () => new Response("done"), { port: 0 });
  try {
    const length = 8 * 2 ** 20;
    const head = requestHead(
      "POST / HTTP/1.1",
      "Host: localhost",
      `Content-Length: ${length}`,
      "Connection: close",
    );
    const client = await connectTo(prompt.url, head);
    client.socket.pause();
    for (let sent = 0; sent < length; sent += 2 ** 20) {
      await new Promise<void>((resolve, reject) => {
        client.socket.write(Buffer.alloc(2 ** 20), (error) => (error ? reject(error) : resolve()));
      });
      await sleep(5);
    }
    client.socket.resume();
    expect(await client.ended).toMatch(/^HTTP\/1\.1 200 [\s\S]*done/);
  } finally {
    await prompt.close();
  }
});

test("a client that stalls after the last answer does not keep the server from closing", async () => {
  const prompt = await serveOnNode(async () => new Response("done"), { port: 0, graceMs: 100 });
  const head = requestHead("POST / HTTP/1.1", "Host: localhost", "Content-Length: 9", "Connection: close");
  const stalled = await connectTo(prompt.url, head);
  await expect.poll(stalled.received).toContain("done");
  await prompt.close();
  stalled.socket.destroy();
});
