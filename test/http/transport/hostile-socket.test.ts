/** Hostile use of a socket: every connection ends, and the server keeps serving other clients. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { type NodeServer, serveOnNode } from "../../../src/http/node-server.ts";

const errors: unknown[] = [];
let edge: Edge;
let server: NodeServer;
beforeAll(async () => {
  edge = createEdge({ onError: (error) => errors.push(error) });
  server = await serveOnNode(edge.fetch, { port: 0 });
});
afterAll(async () => {
  await server.close();
  await edge.close();
});

/** Sends the chunks one after another and returns the response until the connection ends; optionally closes it early. */
function talk(pieces: readonly (string | Uint8Array)[], { cut = false } = {}): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        await new Promise((next) => setImmediate(next));
      }
      if (cut) socket.destroy();
    });
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    // A server may close the connection of a client that does not stop sending.
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

const configs = "/client/v4/zones/z1/token_validation/config";
const upload = "/client/v4/accounts/a1/images/v1";
const common = ["Host: edge.test", "Authorization: Bearer t", "Connection: close"];

function head(line: string, ...headers: readonly string[]): string {
  return `${[line, ...common, ...headers].join("\r\n")}\r\n\r\n`;
}

const json = "Content-Type: application/json";
const form = "Content-Type: multipart/form-data; boundary=b";
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';

async function expectServing(): Promise<void> {
  const headers = { authorization: "Bearer t" };
  const list = await fetch(`${server.url}${configs}`, { headers });
  expect(await list.json()).toMatchObject({ success: true, result: [] });
  const images = await fetch(`${server.url}${upload}`, { headers });
  expect(await images.json()).toMatchObject({ success: true, result: { images: [] } });
  expect(errors).toEqual([]);
}

/** Asserts the failure body and a trace id. */
function expectFailureBody(answer: string): void {
  expect(answer).toMatch(/^x-trace-id: [0-9a-f]{16}\r$/im);
  const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
  expect(body).toMatchObject({
    success: false,
    result: null,
    messages: [],
    errors: [{ code: expect.any(Number), message: expect.any(String) }],
  });
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

describe("bytes that are not an HTTP request are rejected", () => {
  test.each<[string, string]>([
    ["no words", "\r\n\r\n\r\nx\r\n\r\n"],
    ["an unknown method", head(`BREW ${configs} HTTP/1.1`)],
    ["another version", head(`GET ${configs} HTTP/9.9`)],
    ["a space in the address", head(`GET ${configs} x HTTP/1.1`)],
    ["a NUL in the address", head(`GET ${configs}\u0000 HTTP/1.1`)],
    ["no host", `GET ${configs} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ["a header without a colon", head(`GET ${configs} HTTP/1.1`, "nothing")],
    ["headers of 100 kB", head(`GET ${configs} HTTP/1.1`, `X-A: ${"a".repeat(100_000)}`)],
    [
      "5,000 headers",
      head(`GET ${configs} HTTP/1.1`, ...Array.from({ length: 5_000 }, (_, i) => `X-${i}: 1`)),
    ],
    ["an address of 100 kB", head(`GET /${"a".repeat(100_000)} HTTP/1.1`)],
    ["two lengths", head(`POST ${configs} HTTP/1.1`, json, "Content-Length: 1", "Content-Length: 2")],
    [
      "a length and chunks",
      head(`POST ${configs} HTTP/1.1`, json, "Content-Length: 1", "Transfer-Encoding: chunked"),
    ],
    ["invalid chunks", `${head(`POST ${configs} HTTP/1.1`, json, "Transfer-Encoding: chunked")}zz\r\n`],
  ])("%s", async (_what, text) => {
    const answer = await talk([text]);
    const status = statusOf(answer);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expectFailureBody(answer);
    await expectServing();
  });
});

describe("a request target of any format gets a response", () => {
  test.each([
    "http://other.test/client/v4/zones/z1/token_validation/config",
    "//other.test/x",
    "/%",
    "/client/v4/../../etc/passwd",
    "/client/v4/zones/%2e%2e/token_validation/config",
    "*",
    "/?%zz",
    "/\\\\x",
  ])("%s", async (address) => {
    const answer = await talk([head(`GET ${address} HTTP/1.1`)]);
    const status = statusOf(answer);
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(500);
    if (status >= 400) expectFailureBody(answer);
    await expectServing();
  });
});

describe("a connection that is closed early leaves nothing behind", () => {
  test.each<[string, string[]]>([
    ["within the first line", ["GET /cli"]],
    ["within the headers", [`POST ${configs} HTTP/1.1\r\nHost: a\r\nX-`]],
    ["before the body", [head(`POST ${configs} HTTP/1.1`, json, "Content-Length: 50")]],
    ["within the body", [head(`POST ${configs} HTTP/1.1`, json, "Content-Length: 50"), '{"title":']],
    ["within a chunk", [head(`POST ${configs} HTTP/1.1`, json, "Transfer-Encoding: chunked"), "ff\r\n{"]],
    ["within a form", [head(`POST ${upload} HTTP/1.1`, form, "Content-Length: 900"), part, "abc"]],
    ["before the answer", [head(`GET ${configs} HTTP/1.1`)]],
  ])("%s", async (_what, pieces) => {
    await Promise.all(Array.from({ length: 5 }, () => talk(pieces, { cut: true })));
    await expectServing();
  });
});

test("other requests are served while the headers of one arrive byte by byte", async () => {
  const slow = talk([...head(`GET ${configs} HTTP/1.1`)]);
  await expectServing();
  expect(statusOf(await slow)).toBe(200);
});

test("JSON of 20,000 levels over the socket is rejected", async () => {
  const body = "[".repeat(20_000);
  const answer = await talk([head(`POST ${configs} HTTP/1.1`, json, `Content-Length: ${body.length}`), body]);
  expect(statusOf(answer)).toBe(400);
  expect(answer).toContain('"code":10400');
  await expectServing();
});
