/** The workbench on a socket, against hostile requests: hosts, origins, sites, tokens, bodies, and its end. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { startWorkbench, type Workbench } from "../../src/workbench/workbench.ts";
import { jsonOf } from "../support/client.ts";
import { connectTo, exchange, requestHead, statusOf } from "../support/socket.ts";

const header = "x-edgeproof-session";
const rules = () => [
  {
    title: "no writes",
    action: "block" as const,
    expression: 'http.request.method eq "GET"',
    selector: { include: [{ host: ["api.example.com"] }] },
  },
];

let pageFolder: string;
let workbench: Workbench;
let origin: string;
let token: string;

async function start(options: { hostname?: string; allowedHosts?: readonly string[] } = {}) {
  const edge = createEdge({
    world: {
      zones: [{ id: "z1", name: "example.com", token_validation: { configs: [], rules: rules() } }],
    },
  });
  return startWorkbench({ edge, pageFolder, port: 0, version: "1.2.3", ...options });
}

beforeAll(async () => {
  pageFolder = await mkdtemp(join(tmpdir(), "edgeproof-page-"));
  await mkdir(join(pageFolder, "assets"));
  await writeFile(join(pageFolder, "index.html"), "<!doctype html><title>page</title>");
  await writeFile(join(pageFolder, "assets/main-1a2b3c4d.js"), "export {};");
  await writeFile(join(pageFolder, "secret.txt"), "not a file of the page");
  workbench = await start();
  ({ origin } = new URL(workbench.url));
  token = new URL(workbench.url).hash.slice(1);
});
afterAll(() => workbench.close());

/** Sends a request byte by byte, so that every header can be forged. */
function send(line: string, ...headers: readonly string[]): Promise<string> {
  return exchange(origin, requestHead(`${line} HTTP/1.1`, ...headers, "Connection: close"));
}

const own = () => `Host: ${new URL(origin).host}`;
const session = () => `${header}: ${token}`;

function post(
  name: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${origin}/data/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", [header]: token, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function readZone() {
  return jsonOf(await fetch(`${origin}/data/zone?zone=z1`, { headers: { [header]: token } }));
}

describe("the address", () => {
  test("has the token after `#` only, and a new one for each start", async () => {
    expect(workbench.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{32}$/);
    const other = await start();
    expect(new URL(other.url).hash).not.toBe(`#${token}`);
    await other.close();
  });

  test("is 127.0.0.1 when the server listens on all addresses, and IP addresses are hosts then", async () => {
    const open = await start({ hostname: "0.0.0.0" });
    try {
      const { host, origin: at } = new URL(open.url);
      expect(host).toMatch(/^127\.0\.0\.1:/);
      const get = (name: string) =>
        exchange(at, requestHead("GET / HTTP/1.1", `Host: ${name}`, "Connection: close"));
      expect(statusOf(await get("192.0.2.7:80"))).toBe(200);
      expect(statusOf(await get("evil.test"))).toBe(421);
    } finally {
      await open.close();
    }
  });
});

describe("hosts", () => {
  test.each(["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:9", "[::1]:8788"])(
    "%s is answered",
    async (host) => {
      expect(statusOf(await send("GET /", `Host: ${host}`))).toBe(200);
    },
  );

  test.each([
    "evil.test",
    "evil.test:80",
    "127.0.0.1.evil.test",
    "localhost.evil.test",
    "192.0.2.7",
    "app.localhost",
    "[::2]",
  ])("%s is rejected with 421, with the token too", async (host) => {
    expect(statusOf(await send("GET /", `Host: ${host}`))).toBe(421);
    expect(statusOf(await send("GET /data/overview", `Host: ${host}`, session()))).toBe(421);
  });

  test("a request without a host, with two, or with another one in its target is rejected", async () => {
    expect(statusOf(await send("GET /"))).toBe(400);
    expect(statusOf(await send("GET /", own(), "Host: evil.test"))).toBe(400);
    expect(statusOf(await send("GET http://evil.test/", own()))).toBe(421);
  });

  test("a name of `allowedHosts` is answered", async () => {
    const other = await start({ allowedHosts: ["Box.test"] });
    const at = new URL(other.url).origin;
    const get = (host: string) =>
      exchange(at, requestHead("GET / HTTP/1.1", `Host: ${host}`, "Connection: close"));
    expect([statusOf(await get("box.test:1")), statusOf(await get("other.test"))]).toEqual([200, 421]);
    await other.close();
  });
});

describe("requests for data", () => {
  test("are answered with the token, and not without it or with another one", async () => {
    const get = (...more: readonly string[]) => send("GET /data/overview", own(), ...more);
    expect(statusOf(await get(session()))).toBe(200);
    const forged = [
      [],
      [`${header}: `],
      [`${header}: ${token.slice(1)}`],
      [`${header}: ${token}x`],
      [`Authorization: Bearer ${token}`],
      [`Cookie: ${header}=${token}`],
    ];
    for (const more of forged) expect([more, statusOf(await get(...more))]).toEqual([more, 403]);
    expect(statusOf(await send(`GET /data/overview?${header}=${token}`, own()))).toBe(403);
  });

  test("the log needs the token as well", async () => {
    for (const name of ["log", "log/stream", "log/stream?after=1", "nothing"])
      expect(statusOf(await send(`GET /data/${name}`, own()))).toBe(403);
  });

  test("are rejected from another site or origin, with the token too", async () => {
    const get = (...more: readonly string[]) => send("GET /data/overview", own(), session(), ...more);
    for (const site of ["cross-site", "same-site", "none", "nonsense"])
      expect([site, statusOf(await get(`Sec-Fetch-Site: ${site}`))]).toEqual([site, 403]);
    expect(statusOf(await get("Sec-Fetch-Site: same-origin"))).toBe(200);
    for (const other of [
      "null",
      "http://evil.test",
      `https://${new URL(origin).host}`,
      "http://127.0.0.1:1",
      `${origin}.evil.test`,
    ])
      expect([other, statusOf(await get(`Origin: ${other}`))]).toEqual([other, 403]);
    expect(statusOf(await get(`Origin: ${origin}`))).toBe(200);
  });

  test("a preflight of another origin is not answered with permission", async () => {
    const response = await send(
      "OPTIONS /data/overview",
      own(),
      "Origin: http://evil.test",
      "Access-Control-Request-Method: POST",
      `Access-Control-Request-Headers: ${header}`,
    );
    expect(statusOf(response)).toBe(403);
    expect(response.toLowerCase()).not.toContain("access-control-");
  });

  test("a rejected write changes nothing", async () => {
    const zone = await readZone();
    const [{ id, expression }] = zone.rules;
    const change = { zone: "z1", rule: id, expression: 'http.request.method eq "POST"' };
    const attempts = [
      post("rule/save", change, { [header]: "x" }),
      post("rule/save", change, { "sec-fetch-site": "cross-site" }),
      post("rule/save", change, { origin: "http://evil.test" }),
      post("rule/save", change, { "content-type": "text/plain" }),
    ];
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([403, 403, 403, 415]);
    const after = await readZone();
    expect(after.rules[0].expression).toBe(expression);
    expect((await post("rule/save", change)).status).toBe(200);
    expect((await post("rule/save", { ...change, expression })).status).toBe(200);
  });
});

describe("bodies", () => {
  test.each([
    ["not JSON", "{", 400],
    ["another shape", [], 400],
    ["a missing member", { zone: "z1" }, 400],
    ["a request without headers", { zone: "z1", request: { method: "GET", url: "https://a.test/" } }, 400],
    ["an unknown zone", { zone: "z9", request: { method: "GET", url: "https://a.test/", headers: [] } }, 404],
    ["a relative URL", { zone: "z1", request: { method: "GET", url: "/", headers: [] } }, 400],
  ])("%s is rejected with a message", async (_title, body, status) => {
    const response = await post("evaluate", body);
    const { message } = await jsonOf(response);
    expect([response.status, message]).toEqual([status, expect.stringMatching(/\S/)]);
  });

  test("a body above the maximum is rejected, with and without a length", async () => {
    const large = JSON.stringify({ zone: "z".repeat(1024 * 1024) });
    expect((await post("evaluate", large)).status).toBe(413);
    const chunked = await fetch(`${origin}/data/evaluate`, {
      method: "POST",
      headers: { "content-type": "application/json", [header]: token },
      body: new Blob([large]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test("an unknown name is 404, another method 405", async () => {
    for (const name of ["x", "constructor", "__proto__", "toString"])
      expect((await post(name, {})).status).toBe(404);
    expect((await post("overview", {})).status).toBe(405);
    expect((await fetch(`${origin}/data/evaluate`, { headers: { [header]: token } })).status).toBe(405);
  });
});

describe("files of the page", () => {
  test("need no token, and are the only files", async () => {
    expect(await (await fetch(`${origin}/`)).text()).toContain("<title>page</title>");
    expect((await fetch(`${origin}/?screen=requests&zone=z1`)).status).toBe(200);
    const script = await fetch(`${origin}/assets/main-1a2b3c4d.js`);
    expect(script.headers.get("cache-control")).toContain("immutable");
    for (const path of [
      "/secret.txt",
      "/..%2f..%2fetc/passwd",
      "/assets/../../x",
      "/assets/",
      "//evil.test/",
      "/package.json",
    ])
      expect([path, statusOf(await send(`GET ${path}`, own()))]).toEqual([path, 404]);
    expect((await fetch(`${origin}/`, { method: "POST" })).status).toBe(405);
  });

  test("a link of another site may open the page, nothing else of another site is answered", async () => {
    const from = (...more: readonly string[]) => send("GET /", own(), "Sec-Fetch-Site: cross-site", ...more);
    expect(statusOf(await from("Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"))).toBe(200);
    expect(statusOf(await from("Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"))).toBe(403);
    expect(statusOf(await from("Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"))).toBe(403);
    const opened = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];
    expect(statusOf(await send("GET /data/overview", own(), session(), ...opened))).toBe(403);
  });
});

test("every response has the security headers, and none allows another origin", async () => {
  const responses = [
    await fetch(`${origin}/`),
    await fetch(`${origin}/missing`),
    await fetch(`${origin}/data/overview`),
    await fetch(`${origin}/data/overview`, { headers: { [header]: token } }),
    await post("evaluate", "{"),
  ];
  for (const { headers } of responses) {
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    if (headers.get("content-type")?.startsWith("application/json"))
      expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("the log stream has what was logged before and after it began, and ends with the server", async () => {
  const own = await start();
  const { origin: at, hash, host } = new URL(own.url);
  const entry = (path: string) =>
    ({ kind: "answer", atMs: 0, method: "GET", path, status: 200, ms: 1 }) as const;
  own.log(entry("/first"));
  own.log(entry("/second"));
  const head = requestHead(
    "GET /data/log/stream?after=1 HTTP/1.1",
    `Host: ${host}`,
    `${header}: ${hash.slice(1)}`,
  );
  const connection = await connectTo(at, head);
  await connection.waitFor(/second/);
  own.log(entry("/third"));
  expect(await connection.waitFor(/third/)).not.toContain("/first");
  const start_ = performance.now();
  await own.close();
  await connection.ended;
  expect(performance.now() - start_).toBeLessThan(1_000);
});
