/** Faults of a server, seen by clients: raw sockets, undici with retries, and the provider's client library. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, interceptors, request, fetch as send } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { type NodeServer, serveOnNode } from "../../../src/http/node-server.ts";
import type { RequestRecord } from "../../../src/http/server/request-log.ts";
import { clientAt } from "../../clients/provider.ts";
import { ruleBody } from "../../support/keys.ts";
import { exchange, requestHead } from "../../support/socket.ts";
import { countRules, rulesPath } from "./edges.ts";

let server: NodeServer | undefined;
afterEach(() => server?.close());

interface Served {
  readonly edge: Edge;
  readonly url: string;
  readonly records: readonly RequestRecord[];
}

async function serve(options: EdgeOptions): Promise<Served> {
  const edge = createEdge(options);
  const records: RequestRecord[] = [];
  server = await serveOnNode(edge.fetch, {
    port: 0,
    graceMs: 200,
    onResponse: (record) => records.push(record),
  });
  return { edge, url: `${server.url}/client/v4`, records };
}

const body = JSON.stringify(ruleBody('http.request.method eq "GET"'));
const headers = { authorization: "Bearer t", "content-type": "application/json" };
const create = (url: string) => send(`${url}${rulesPath}`, { method: "POST", headers, body });

const get = (url: string) =>
  exchange(
    url,
    requestHead(
      `GET /client/v4${rulesPath} HTTP/1.1`,
      "Host: localhost",
      "Authorization: Bearer t",
      "Connection: close",
    ),
  );

/** An agent that repeats requests at once. */
const retrying = (more: object) =>
  new Agent().compose(interceptors.retry({ minTimeout: 1, maxTimeout: 1, timeoutFactor: 1, ...more }));

describe("on the wire", () => {
  test("a cut answer has its whole length in the header, the first bytes of the body, and ends the connection", async () => {
    const { url, records } = await serve({ faults: [{ cut: 12 }] });
    const [head = "", sent] = (await get(url)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(50);
    expect(sent).toBe('{"result":[]');
    expect(records).toMatchObject([{ status: 200 }]);
  });

  test("a lost answer is a connection that ends without a byte", async () => {
    const { url, records } = await serve({ faults: [{ cut: 0 }] });
    expect(await get(url)).toBe("");
    expect(records).toMatchObject([{ method: "GET", status: null }]);
  });

  test("a request after a fault is answered as always", async () => {
    const { url } = await serve({
      faults: [
        { cut: 3, times: 1 },
        { cut: 0, times: 1 },
      ],
    });
    for (let i = 0; i < 2; i++)
      await expect(create(url).then((response) => response.text())).rejects.toThrow(TypeError);
    expect((await create(url)).status).toBe(200);
  });

  test("a server stops while a late answer waits", async () => {
    const { url, edge } = await serve({ faults: [{ delayMs: 60_000 }] });
    const answer = create(url).catch((error: Error) => error);
    while (edge.faults.rules()[0]?.counted === 0) await sleep(1);
    await server?.close();
    expect(await answer).toBeInstanceOf(TypeError);
    expect(await countRules(edge)).toBe(0);
  });
});

describe("undici with retries", () => {
  test.each([429, 500, 503] as const)("repeats a request after %s", async (status) => {
    const { url, edge } = await serve({ faults: [{ status, times: 2, retryAfter: 0 }] });
    const dispatcher = retrying({ statusCodes: [429, 500, 503] });
    const response = await send(`${url}${rulesPath}`, { headers, dispatcher });
    expect(response.status).toBe(200);
    expect(edge.faults.rules()[0]).toMatchObject({ counted: 3, happened: 2 });
    await dispatcher.close();
  });

  test("creates a rule twice when the answer to the first request is lost after its effect, and once when before it", async () => {
    for (const after of [true, false]) {
      const { url, edge } = await serve({ faults: [{ cut: 0, after, times: 1 }] });
      const dispatcher = retrying({ methods: ["POST"] });
      const response = await request(`${url}${rulesPath}`, { method: "POST", headers, body, dispatcher });
      await response.body.dump();
      expect(response.statusCode).toBe(200);
      expect(await countRules(edge)).toBe(after ? 2 : 1);
      await dispatcher.close();
      await server?.close();
    }
  });

  test("a time-out of the client is shorter than a late answer, whose request had its effect with `after`", async () => {
    const { url, edge } = await serve({ faults: [{ delayMs: 60_000, after: true }] });
    const leaving = new AbortController();
    const answer = send(`${url}${rulesPath}`, { method: "POST", headers, body, signal: leaving.signal });
    while ((await countRules(edge)) === 0) await sleep(1);
    leaving.abort();
    await expect(answer).rejects.toThrow(/aborted/);
    expect(await countRules(edge)).toBe(1);
  });
});

test("the provider's client library repeats a request after 429 and a lost answer, and reports the code when it may not", async () => {
  const { url, edge } = await serve({
    faults: [
      { status: 429, retryAfter: 0, times: 1 },
      { cut: 0, times: 1 },
    ],
  });
  const options = { zone_id: "z1" };
  const rules = (maxRetries: number) =>
    clientAt(url).tokenValidation.rules.list(options, { maxRetries, headers: {} });
  expect((await rules(2)).result).toEqual([]);
  expect(edge.faults.rules().map(({ counted }) => counted)).toEqual([3, 3]);
  edge.faults.replace([{ status: 429 }]);
  await expect(rules(0)).rejects.toMatchObject({ status: 429, errors: [{ code: 971 }] });
});
