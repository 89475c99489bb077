/** `GET /health` for probes, and the records of requests for a log. */
import { afterAll, describe, expect, test, vi } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import { type NodeServer, serveOnNode } from "../../../src/http/node-server.ts";
import type { RequestRecord } from "../../../src/http/server/request-log.ts";
import { maskTarget } from "../../../src/http/server/request-log.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { formOf, png } from "../../support/images.ts";
import { validating } from "../../support/interface.ts";
import { connectTo, requestHead } from "../../support/socket.ts";

describe.each(["/readyz", "/health"])("%s", (path) => {
  const ask = (options: EdgeOptions = {}, method = "GET", origin = "https://edge.test") =>
    validating(createEdge(options).fetch)(new Request(`${origin}${path}`, { method }));
  test("is 200 without credentials when the store answers", async () => {
    const credentials = [{ token: "known", permissions: [] }];
    const response = await ask({ credentials });
    expect([response.status, await response.text()]).toEqual([200, '{"status":"ok"}']);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{16}$/);
  });

  test("answers HEAD without a body, and no other method", async () => {
    const head = await ask({}, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await ask({}, "POST");
    expect(post.headers.get("allow")).toBe("GET, HEAD");
    await expectFailure(post, { status: 405, code: 10405 });
  });

  test("is answered on the delivery host too, and with any base path", async () => {
    const options = { deliveryBaseUrl: "https://images.test", basePath: "" };
    expect(await jsonOf(await ask(options, "GET", "https://images.test"))).toEqual({ status: "ok" });
    expect(await jsonOf(await ask(options))).toEqual({ status: "ok" });
  });

  test.each([
    ["is unavailable", new DependencyUnavailableError("gone")],
    ["fails", new Error("secret detail")],
  ])("is 503 when the store %s", async (_title, error) => {
    for (const broken of ["read", "write"] as const) {
      const store = { ...createMemoryStore(), [broken]: () => Promise.reject(error) };
      const response = await ask({ store });
      expect([response.status, await response.text()]).toEqual([503, '{"status":"unavailable"}']);
    }
  });
});

test("/livez is 200 while the store is out of reach, on every host", async () => {
  const gone = () => Promise.reject(new DependencyUnavailableError("gone"));
  const store = { ...createMemoryStore(), read: gone, write: gone };
  const { fetch } = createEdge({ store, credentials: [], deliveryBaseUrl: "https://images.test" });
  for (const origin of ["https://edge.test", "https://images.test"]) {
    const response = await validating(fetch)(new Request(`${origin}/livez`));
    expect([response.status, await response.text()]).toEqual([200, '{"status":"ok"}']);
  }
});

test("a clock that is set back an hour leaves the server ready", async () => {
  let now = Date.UTC(2026, 0, 1);
  const memory = createMemoryStore();
  let isFull = true;
  const write: Store["write"] = (work, options) =>
    isFull ? Promise.reject(new Error("disk full")) : memory.write(work, options);
  vi.useFakeTimers({ toFake: ["performance"] });
  const edge = createEdge({ store: { ...memory, write }, clock: () => now });
  const ask = async () => (await edge.fetch(new Request("https://edge.test/readyz"))).status;
  expect(await ask()).toBe(503);
  isFull = false;
  now -= 3_600_000;
  vi.advanceTimersByTime(10_000);
  expect(await ask()).toBe(200);
  vi.useRealTimers();
});

describe("a target in the log", () => {
  test.each([
    ["/a/b?x=1", "/a/b?x=1"],
    ["/cdn-cgi/imagedelivery/h/i/v?exp=5&sig=abcdef", "/cdn-cgi/imagedelivery/h/i/v?exp=5&sig=***"],
    ["/h/i/v?SIG=abcdef&a=b", "/h/i/v?SIG=***&a=b"],
    ["/h/i/v?%73ig=abcdef", "/h/i/v?%73ig=***"],
    ["/a?x?sig=abcdef", "/a?x?sig=***"],
    ["/a?token=abcdef&api_key=abcdef&password=abcdef", "/a?token=***&api_key=***&password=***"],
    ["/cdn-cgi/imageupload/hash/abcdef", "/cdn-cgi/imageupload/***"],
    ["//cdn-cgi//imageupload/hash/abcdef?a=1", "//cdn-cgi//imageupload/***?a=1"],
    ["/cdn-cgi/ImageUpload/hash/abcdef", "/cdn-cgi/ImageUpload/***"],
    ["/cdn-cgi%2Fimageupload%2fhash%2fabcdef", "/cdn-cgi/imageupload/***"],
    ["/cdn-cgi/image%75pload/hash/abcdef", "/cdn-cgi/image%75pload/***"],
    ["http://user:abcdef@edge.test/x", "http://***@edge.test/x"],
    ["/cdn-cgi/image/width=1/http://user:abcdef@a.test/x", "/cdn-cgi/image/width=1/http://***@a.test/x"],
    ["/cdn-cgi/image/width=1/https:/abcdef@a.test/x", "/cdn-cgi/image/width=1/https:/***@a.test/x"],
    [
      "/cdn-cgi/image/width=1/http%3A%2F%2Fu:abcdef%40a.test%2Fx",
      "/cdn-cgi/image/width=1/http%3A%2F%2F***%40a.test%2Fx",
    ],
    ["/x?url=https://u:abcdef@a.test/x&b=a@b", "/x?url=https://***@a.test/x&b=a@b"],
    ["/%zz?%zz=1&sig", "/%zz?%zz=1&sig"],
  ])("%s is %s", (target, masked) => {
    expect(maskTarget(target)).toBe(masked);
  });
});

test("masking takes time linear in the target", () => {
  const start = performance.now();
  for (const part of ["http:/", "http:", "http%3a%2f", "https%3A%2F%2F%40", "https://a", "http:/@"])
    maskTarget(`/${part.repeat(100_000)}`);
  expect(performance.now() - start).toBeLessThan(5_000);
});

describe("onResponse", () => {
  const records: RequestRecord[] = [];
  let onRecord = () => {};
  const servers: NodeServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function start(options: EdgeOptions = {}): Promise<NodeServer> {
    records.length = 0;
    const onResponse = (record: RequestRecord) => {
      records.push(record);
      onRecord();
      throw new Error("from the log");
    };
    const server = await serveOnNode(createEdge(options).fetch, { port: 0, onResponse, allowedHosts: [] });
    servers.push(server);
    return server;
  }

  async function recordsOf(count: number): Promise<readonly RequestRecord[]> {
    while (records.length < count)
      await new Promise<void>((resolve) => {
        onRecord = resolve;
      });
    return records;
  }

  test("receives method, path, status, time and trace id, of rejected requests too", async () => {
    const server = await start();
    const path = "/client/v4/zones/z1/token_validation/rules";
    const headers = { authorization: "Bearer very-secret" };
    const response = await fetch(`${server.url}${path}?page=1`, { headers });
    await response.text();
    const other = await fetch(`${server.url}/nothing`, { method: "DELETE" });
    const head = requestHead("GET / HTTP/1.1", "Host: evil.example", "Connection: close");
    await (await connectTo(server.url, head)).ended;
    const ms = expect.any(Number);
    const rejected = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(await recordsOf(3)).toEqual([
      { method: "GET", path: `${path}?page=1`, status: 200, ms, traceId: response.headers.get("x-trace-id") },
      { method: "DELETE", path: "/nothing", status: 404, ms, traceId: other.headers.get("x-trace-id") },
      { method: "GET", path: "/", status: 421, ms, traceId: rejected },
    ]);
    expect(JSON.stringify(records)).not.toContain("secret");
  });

  test("receives the trace id under the provider's name", async () => {
    const server = await start({ wireNames: "provider" });
    const response = await fetch(`${server.url}/health`);
    expect(await recordsOf(1)).toMatchObject([{ traceId: response.headers.get("cf-ray") }]);
  });

  test("receives no status when the client leaves before the response", async () => {
    const onResponse = (record: RequestRecord) => {
      records.push(record);
      onRecord();
    };
    records.length = 0;
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const never = () => {
      arrive();
      return new Promise<never>(() => {});
    };
    const server = await serveOnNode(never, { port: 0, onResponse });
    servers.push(server);
    const connection = await connectTo(server.url, requestHead("GET /x HTTP/1.1", "Host: localhost"));
    await arrived;
    connection.socket.destroy();
    expect(await recordsOf(1)).toMatchObject([{ path: "/x", status: null, traceId: null }]);
  });

  test("never receives the secret of an upload address or a signature", async () => {
    const server = await start();
    const authorization = "Bearer very-secret";
    const drafts = `${server.url}/client/v4/accounts/a1/images/v2/direct_upload`;
    const draft = await jsonOf(await fetch(drafts, { method: "POST", headers: { authorization } }));
    const body = formOf({ file: await png() });
    const image = await jsonOf(await fetch(draft.result.uploadURL, { method: "POST", body }));
    await (await fetch(`${image.result.variants[0]}?sig=very-secret`)).arrayBuffer();
    const secret = draft.result.uploadURL.split("/").at(-1);
    const lines = JSON.stringify(await recordsOf(3));
    expect(lines).not.toContain(secret);
    expect(lines).not.toContain("very-secret");
  });
});
