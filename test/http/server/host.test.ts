/** The check of the Host header over a socket: names, addresses, and requests without one. */
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { type NodeServer, type NodeServerOptions, serveOnNode } from "../../../src/http/node-server.ts";
import { provoked } from "../../support/failure.ts";
import { exchange, requestHead, statusOf } from "../../support/socket.ts";

const path = "/client/v4/zones/z1/token_validation/rules";
const bearer = "Authorization: Bearer t";
const close = "Connection: close";

const servers: NodeServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function start(options: Partial<NodeServerOptions>): Promise<NodeServer> {
  const server = await serveOnNode(createEdge().fetch, { port: 0, ...options });
  servers.push(server);
  return server;
}

function get(server: NodeServer, host: string, target = path): Promise<string> {
  return exchange(server.url, requestHead(`GET ${target} HTTP/1.1`, `Host: ${host}`, bearer, close));
}

describe("a server with `allowedHosts`", () => {
  let server: NodeServer;
  beforeAll(async () => {
    server = await start({ allowedHosts: ["edgeproof", "Api.Example.com", "my_service"] });
  });

  test.each([
    "localhost",
    "LOCALHOST:8787",
    "app.localhost",
    "localhost.",
    "127.0.0.1",
    "127.0.0.1:8787",
    "10.1.2.3:80",
    "[::1]",
    "[::1]:8787",
    "edgeproof",
    "edgeproof:8787",
    "EDGEPROOF.",
    "api.example.com:443",
    "my_service:80",
  ])("answers requests for %s", async (host) => {
    expect(statusOf(await get(server, host))).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:8787",
    "localhost.evil.example",
    "notlocalhost",
    "127.0.0.1.evil.example",
    "edgeproof.evil.example",
    "other.example.com",
  ])("rejects requests for %s with 421, 10421", async (host) => {
    const response = await get(server, host);
    expect(statusOf(response)).toBe(421);
    expect(response).toMatch(/x-trace-id: [0-9a-f]{16}/);
    expect(response).toContain('"code":10421');
    expect(response).toContain(`\`${host}\``);
    expect(response).toContain("--allow-host");
    provoked(10421);
  });

  test("rejects an absolute target of another host", async () => {
    expect(statusOf(await get(server, "localhost", `http://evil.example${path}`))).toBe(421);
    expect(statusOf(await get(server, "localhost", `http://edgeproof${path}`))).toBe(200);
  });

  test("answers /health for every host", async () => {
    const health = (method: string) => {
      return exchange(server.url, requestHead(`${method} /health HTTP/1.1`, "Host: evil.example", close));
    };
    expect(await health("GET")).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
    expect(await health("HEAD")).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/);
    expect(statusOf(await health("POST"))).toBe(421);
  });

  test("changes nothing for a rejected request", async () => {
    const body = '{"name":"x"}';
    const length = `Content-Length: ${body.length}`;
    const type = "Content-Type: application/json";
    const keys = "/client/v4/accounts/a1/images/v1/keys";
    const put = requestHead(`PUT ${keys}/x HTTP/1.1`, "Host: evil.example", bearer, close, length, type);
    expect(statusOf(await exchange(server.url, put + body))).toBe(421);
    expect(await get(server, "localhost", keys)).not.toContain('"x"');
  });
});

test("without `allowedHosts`, and with `*`, every host is answered", async () => {
  expect(statusOf(await get(await start({}), "any.example"))).toBe(200);
  expect(statusOf(await get(await start({ allowedHosts: ["*"] }), "any.example"))).toBe(200);
});

test.each(["http://a.test", "a.test:80", "", "a b", "*.example.com"])(
  "%j is not an entry of `allowedHosts`",
  (name) => {
    expect(() => serveOnNode(createEdge().fetch, { port: 0, allowedHosts: [name] })).toThrow(/allowedHosts/);
  },
);

describe("requests without Host", () => {
  test.each([
    ["missing", []],
    ["empty", ["Host:"]],
    ["given twice", ["Host: localhost", "Host: localhost"]],
  ])("HTTP/1.1, %s: 400, 10400", async (_title, hosts) => {
    const server = await start({ allowedHosts: [] });
    const response = await exchange(server.url, requestHead(`GET ${path} HTTP/1.1`, ...hosts, bearer, close));
    expect(statusOf(response)).toBe(400);
    expect(response).toContain('"code":10400');
    expect(response).toContain("Host");
  });

  test("HTTP/1.0 is answered, with addresses of the server itself", async () => {
    const server = await start({ allowedHosts: [] });
    const target = "/client/v4/accounts/a1/images/v2/direct_upload";
    const response = await exchange(server.url, requestHead(`POST ${target} HTTP/1.0`, bearer));
    expect(statusOf(response)).toBe(200);
    expect(response).toContain(`"uploadURL":"${server.url}/`);
  });
});

test("the fetch handler itself checks no host", async () => {
  const response = await createEdge().fetch(
    new Request(`http://evil.example${path}`, { headers: { authorization: "Bearer t" } }),
  );
  expect(response.status).toBe(200);
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

test.skipIf(!hasIpv6)("the host name can be an IPv6 address in brackets", async () => {
  const server = await start({ hostname: "[::1]" });
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: "ok" });
});
