/** `edgeproof world pull`: a zone read from a served world is the same world, and no fault of a server gets further. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { serveOnNode } from "../../../src/http/node-server.ts";
import type { World } from "../../../src/service/world/schema.ts";
import { type CliOptions, edgeproof } from "../../support/cli.ts";
import { type TestKeys, testKeys } from "../../support/keys.ts";

const token = "secret-token-0123456789";
const zoneId = "0da42c8d2132a9ddaf714f9e7c920711";
const configId = "52973293-cb04-4a97-8f55-e7d2ad1107dd";
const ruleId = "7f1b7a64-2d35-4c5b-9a8e-0d8f2f6f0c11";
const source = 'http.request.headers["authorization"][0]';

let folder: string;
let keys: TestKeys;
const at = (name: string) => join(folder, name);
const closing: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  keys = await testKeys();
});
afterAll(async () => {
  for (const close of closing) await close();
});

const operations = Array.from({ length: 120 }, (_, i) => {
  return { operation_id: `o${i}`, method: "GET", host: "api.example.com", endpoint: `/v1/${i}` };
});

function worldOf(change: object = {}): World {
  return {
    accounts: [
      {
        id: "a67e14daa5f8dceeb91fe5449ba496eb",
        images: {
          variants: [
            {
              id: "hero",
              options: { fit: "cover", width: 1600, height: 600, metadata: "none" },
              neverRequireSignedURLs: true,
            },
          ],
          signing_keys: [{ name: "default", value: "image-key-value" }],
        },
        brand: {
          queries: [{ tag: "shop", string_matches: [{ pattern: "exampleshop", max_edit_distance: 1 }] }],
        },
      },
    ],
    zones: [
      {
        id: zoneId,
        name: "example.com",
        account_id: "a67e14daa5f8dceeb91fe5449ba496eb",
        token_validation: {
          operations,
          configs: [
            { id: configId, title: "Web", token_sources: [source], credentials: { keys: [keys.rs256.jwk] } },
          ],
          rules: [
            {
              id: ruleId,
              title: "Enforce",
              action: "block",
              expression: `is_jwt_valid("${configId}")`,
              selector: { include: [{ host: ["api.example.com"] }] },
            },
          ],
          ...change,
        },
      },
      { id: "z2", name: "other.example", account_id: "a67e14daa5f8dceeb91fe5449ba496eb" },
    ],
  };
}

/** The address of a served world, whose only token has all permissions but those that are left out. */
async function served(
  world: World,
  missing: readonly string[] = [],
  envelopes: "spec" | "everywhere" = "spec",
) {
  const all = [
    "token_validation:read",
    "images:read",
    "brand_protection:read",
    "proxy:read",
    "rulesets:read",
  ] as const;
  const permissions = all.filter((permission) => !missing.includes(permission));
  const edge = createEdge({ profile: "provider", envelopes, world, credentials: [{ token, permissions }] });
  const server = await serveOnNode(edge.fetch, { port: 0 });
  closing.push(() => server.close());
  return `${server.url}/client/v4`;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** The address of a server that answers as a test says. */
async function serving(respond: Respond): Promise<string> {
  const server: Server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function pull(baseUrl: string, more: readonly string[] = [], options: CliOptions = {}) {
  const words = ["world", "pull", "--zone", "example.com", "--base-url", baseUrl, ...more];
  return edgeproof(words, "", { env: { CLOUDFLARE_API_TOKEN: token }, ...options });
}

describe("a served world", () => {
  test("is read back: configurations, keys, rules, all pages of operations, variants and queries", async () => {
    const { code, out, err } = await pull(await served(worldOf()));
    expect(err).toContain("dropped: The signing keys are left out: secrets need --with-secrets.");
    expect(code).toBe(0);
    const world = JSON.parse(out);
    expect(world.profile).toBe("provider");
    const [zone, ...others] = world.zones;
    expect(others).toEqual([]);
    expect(zone).toMatchObject({ id: zoneId, name: "example.com" });
    expect(zone.token_validation.operations).toEqual(operations);
    expect(zone.token_validation.configs).toMatchObject([
      { id: configId, title: "Web", credentials: { keys: [keys.rs256.jwk] } },
    ]);
    expect(zone.token_validation.rules).toMatchObject([
      { id: ruleId, expression: `is_jwt_valid("${configId}")` },
    ]);
    expect(world.accounts[0].images.variants).toMatchObject([
      { id: "public" },
      { id: "hero", neverRequireSignedURLs: true },
    ]);
    expect(world.accounts[0].brand.queries).toMatchObject([{ tag: "shop" }]);
    expect(out).not.toContain("image-key-value");
  });

  test("has its proxy applications, which lint accepts from the pulled file", async () => {
    const world = worldOf();
    const applications = [
      {
        protocol: "tcp/22",
        dns: { type: "CNAME", name: "ssh.example.com" },
        origin_direct: ["tcp://192.0.2.1:22"],
      },
      {
        protocol: "tcp/8000-8009",
        dns: { type: "CNAME", name: "game.example.com" },
        origin_dns: { name: "origin.example.com" },
        origin_port: "9000-9009",
      },
    ];
    const zones = world.zones?.map((zone, i) => (i === 0 ? { ...zone, proxy: { applications } } : zone));
    const base = await served({ ...world, zones: zones ?? [] });
    const { code, out, err } = await pull(base, ["--out", at("applications.json")]);
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain("2 proxy applications");
    const pulled = JSON.parse(await readFile(at("applications.json"), "utf8"));
    const byProtocol = (left: { protocol: string }, right: { protocol: string }) =>
      left.protocol.localeCompare(right.protocol);
    expect(pulled.zones[0].proxy.applications.toSorted(byProtocol)).toMatchObject(applications);
    const linted = await edgeproof(["lint", at("applications.json")]);
    expect([linted.code, linted.out]).toEqual([0, expect.stringContaining("2 applications: 0 errors")]);
  });

  test("is the same by the id of the zone, and with envelopes everywhere", async () => {
    const base = await served(worldOf(), [], "everywhere");
    const byName = await pull(base);
    const byId = await edgeproof(["world", "pull", "--zone", zoneId, "--base-url", base], "", {
      env: { CLOUDFLARE_API_TOKEN: token },
    });
    expect(byId.out).toBe(byName.out);
    const other = await edgeproof(["world", "pull", "--zone", "z2", "--base-url", base], "", {
      env: { CLOUDFLARE_API_TOKEN: token },
    });
    expect(JSON.parse(other.out).zones[0].name).toBe("other.example");
  });

  test("gives the same verdicts as the world that was served", async () => {
    await writeFile(at("served.json"), JSON.stringify({ ...worldOf(), profile: "provider" }));
    expect((await pull(await served(worldOf()), ["--out", at("pulled.json")])).code).toBe(0);
    const pulled = JSON.parse(await readFile(at("pulled.json"), "utf8"));
    expect(pulled.zones[0].url_normalization).toEqual({ type: "cloudflare", scope: "incoming" });
    const compared = await edgeproof(["diff", at("served.json"), at("pulled.json"), "--zone", zoneId]);
    expect(compared.out).toBe(`zone ${zoneId}: equivalent for every request\n`);
  });

  test("signing keys are in the output with --with-secrets only", async () => {
    const { out } = await pull(await served(worldOf()), ["--with-secrets"]);
    expect(JSON.parse(out).accounts[0].images.signing_keys).toMatchObject([
      { name: "default", value: "image-key-value" },
    ]);
  });

  test("parts without permission are undecided, and the world is written only with --partial", async () => {
    const images = await served(worldOf(), ["images:read"]);
    expect(await pull(images)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("The image variants could not be read: status 403, 9109"),
    });
    const partial = await pull(images, ["--partial"]);
    expect([partial.code, JSON.parse(partial.out).undecided]).toEqual([
      0,
      [expect.objectContaining({ about: "images" })],
    ]);
    const rules = await pull(await served(worldOf(), ["token_validation:read"]), ["--partial"]);
    expect(rules.code).toBe(0);
    expect(rules.err).toContain("The token rules could not be read: status 403");
    await writeFile(at("partial.json"), rules.out);
    const checked = await edgeproof(["check", at("partial.json")]);
    expect([checked.code, checked.out]).toEqual([
      1,
      expect.stringContaining("The token rules could not be read"),
    ]);
  });

  test.each(["/accounts", `/zones/${zoneId}/url_normalization`, `/zones/${zoneId}/spectrum`])(
    "a part without an answer is undecided, since a wrong address has none either: %s",
    async (path) => {
      const base = await serving(respondWith({ [path]: status(404) }));
      const { code, out, err } = await pull(base);
      expect([code, out, err]).toEqual([1, "", expect.stringMatching(/could not be read: status 404/)]);
      expect((await pull(base, ["--partial"])).code).toBe(0);
    },
  );

  test("a zone whose answer does not name the account is not complete", async () => {
    const { account: _, ...alone } = zone;
    const base = await serving(respondWith({ "/zones?": success([alone]) }));
    const { code, out, err } = await pull(base);
    expect([code, out]).toEqual([1, ""]);
    for (const part of ["custom rules and lists of the account", "image variants", "domain queries"])
      expect(err).toContain(`The ${part}`);
    expect(err).toContain("the answer about the zone does not name its account");
  });

  test("the plan of the zone is that of its answer", async () => {
    const planned = { ...zone, plan: { id: "p", name: "Business Website", legacy_id: "business" } };
    const base = await serving(respondWith({ "/zones?": success([planned]) }));
    expect(JSON.parse((await pull(base)).out).zones[0].plan).toBe("business");
  });

  test("an empty list of operations is kept as one, and a missing list as missing", async () => {
    const none = await pull(await served(worldOf({ operations: undefined })));
    expect(JSON.parse(none.out).zones[0].token_validation.operations).toBeUndefined();
    const base = await serving(respondWith({}));
    expect(JSON.parse((await pull(base)).out).zones[0].token_validation).toEqual({ operations: [] });
  });

  test("--json has the report; --out then gets the world", async () => {
    const { out } = await pull(await served(worldOf()), ["--json", "--out", at("out.json")]);
    const result = JSON.parse(out);
    expect(result.report.dropped.at(-1)).toEqual({
      rule: "left-out",
      level: "note",
      message: "The signing keys are left out: secrets need --with-secrets.",
      at: {
        file: "/accounts/a67e14daa5f8dceeb91fe5449ba496eb/images/v1/keys",
        pointer: "",
        start: { line: 1, column: 1 },
      },
    });
    expect(JSON.parse(await readFile(at("out.json"), "utf8"))).toEqual(result.world);
  });

  test("a zone that the token does not see is an error", async () => {
    const base = await served(worldOf());
    const env = { CLOUDFLARE_API_TOKEN: token };
    const named = await edgeproof(["world", "pull", "--zone", "nothing.example", "--base-url", base], "", {
      env,
    });
    expect([named.code, named.err]).toEqual([
      2,
      "edgeproof: --zone: the API token sees no zone with the name or id `nothing.example`\n",
    ]);
    const wrong = await edgeproof(["world", "pull", "--zone", "example.com", "--base-url", base], "", {
      env: { CLOUDFLARE_API_TOKEN: "another-token-0123456789" },
    });
    expect(wrong.err).toContain("cannot read the zones: status 403, 10000 The API token is unknown.");
    expect(wrong.err).toContain("CLOUDFLARE_API_TOKEN must hold a token that may read it");
  });
});

const zone = { id: zoneId, name: "example.com", account: { id: "a1" } };
const success = (result: unknown, more: object = {}) => ({
  success: true,
  errors: [],
  messages: [],
  result,
  ...more,
});

/** Answers as the interface does for an empty zone; `answers` are other bodies, by the start of their path. */
function respondWith(answers: Readonly<Record<string, Respond | object>>): Respond {
  return (request, response) => {
    const path = request.url ?? "";
    const [, answer] = Object.entries(answers).find(([start]) => path.startsWith(start)) ?? [];
    if (typeof answer === "function") return void (answer as Respond)(request, response);
    if (answer === undefined && path.endsWith("/entrypoint")) return status(404)(request, response);
    const usual = path.startsWith("/zones?")
      ? success([zone])
      : path.includes("/variants")
        ? success({ variants: {} })
        : path.endsWith("/url_normalization")
          ? success({ type: "cloudflare", scope: "incoming" })
          : success([]);
    response.end(JSON.stringify(answer ?? usual));
  };
}

const listedRule = { id: ruleId, action: "log", expression: "true", selector: {} };
const rulesPath = `/zones/${zoneId}/token_validation/rules`;

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_request, response) => {
    response.writeHead(code, headers);
    response.end(JSON.stringify({ success: false, errors: [{ code: 1, message: `bad ${token}` }] }));
  };

describe("faults of a server", () => {
  test("429 and 500 are tried again, after the time that the server names", async () => {
    let count = 0;
    const base = await serving(
      respondWith({
        [rulesPath]: (request, response) => {
          count++;
          if (count === 1) return status(429, { "retry-after": "0" })(request, response);
          if (count === 2) return status(500)(request, response);
          response.end(JSON.stringify(success([])));
        },
      }),
    );
    const { code, err } = await pull(base);
    expect([code, count]).toEqual([0, 3]);
    expect(err).toContain("the server answered with status 500; trying again in 1 s");
  });

  test("a wait that is longer than --max-wait leaves the part undecided, and so do errors without end", async () => {
    const slow = await pull(
      await serving(respondWith({ [rulesPath]: status(429, { "retry-after": "300" }) })),
    );
    expect([slow.code, slow.out]).toEqual([1, ""]);
    expect(slow.err).toContain("it asks to wait 300 s, longer than --max-wait (60 s)");
    const never = await pull(
      await serving(respondWith({ [rulesPath]: status(503, { "retry-after": "0" }) })),
    );
    expect(never.err).toContain("the server answered with status 503 (4 attempts)");
  });

  test.each<[string, Respond | object, string]>([
    [
      "a redirect",
      status(302, { location: "http://evil.example/" }),
      "it redirects to `http://evil.example/`, where the token is not sent",
    ],
    [
      "a body that ends too early",
      (_q, r) => void r.writeHead(200, { "content-length": "99" }).write("{", () => r.destroy()),
      "the connection was closed before the response was complete (4 attempts)",
    ],
    [
      "no JSON",
      (_q, r) => void r.end("<html>"),
      "expected the envelope of the interface; found no JSON with status 200",
    ],
    [
      "JSON without an envelope",
      { rules: [] },
      "expected the envelope of the interface; found an object with status 200",
    ],
    ["a result that is not a list", success({ a: 1 }), "`result` must be a list of objects; found an object"],
    ["a list of numbers", success([1]), "`result` must be a list of objects; found an array of 1 element"],
    [
      "a compressed body",
      (_q, r) => void r.writeHead(200, { "content-encoding": "gzip" }).end("x"),
      "the server compressed its response",
    ],
    ["an error of the token", status(401), "The token rules could not be read: status 401, 1 bad ***"],
    [
      "pages without end",
      (_q, r) => void r.end(JSON.stringify(success(Array.from({ length: 50 }, () => listedRule)))),
      "the pages of the token rules do not end",
    ],
  ])("%s leaves a part undecided, and no file is written", async (_name, answer, message) => {
    const base = await serving(respondWith({ [rulesPath]: answer }));
    const { code, out, err } = await pull(base, ["--out", at("never.json"), "--max-wait", "5"]);
    expect(err).toContain(message);
    expect([code, out]).toEqual([1, ""]);
    expect(existsSync(at("never.json"))).toBe(false);
  });

  test.each(
    [
      "variants",
      "domain/queries",
      "logo/queries",
      "url_normalization",
      "token_validation/config",
      "apps",
    ].flatMap((path) => [{}, [null]].map((result) => [path, result] as const)),
  )("%s with the result %j are not read, and no file is written", async (path, result) => {
    const respond = respondWith({});
    const base = await serving((request, response) => {
      if (!request.url?.split("?")[0]?.endsWith(path)) respond(request, response);
      else response.end(JSON.stringify(success(result)));
    });
    const { code, out, err } = await pull(base, ["--max-wait", "5"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(new RegExp(`could not be read: GET \\S*${path}`));
  });

  test("a body of more than 32 MiB is not read to its end", async () => {
    const megabyte = " ".repeat(1_048_576);
    let sent = 0;
    const base = await serving(
      respondWith({
        [rulesPath]: (_request, response) => {
          const next = () => {
            if (response.destroyed || sent > 200) return;
            sent++;
            response.write(megabyte, next);
          };
          next();
        },
      }),
    );
    const { code, err } = await pull(base, ["--max-wait", "0"]);
    expect(code).toBe(1);
    expect(err).toContain("the response is larger than 33554432 bytes");
    expect(sent).toBeLessThan(200);
  });

  test("pages that differ without end are read to the limit of pages", async () => {
    let page = 0;
    const base = await serving(
      respondWith({
        [rulesPath]: (_request, response) =>
          void response.end(
            JSON.stringify(
              success([{ ...listedRule, title: `${page++}` }], { result_info: { per_page: 1 } }),
            ),
          ),
      }),
    );
    const { code, err } = await pull(base);
    expect([code, page]).toEqual([1, 400]);
    expect(err).toContain("page=400&per_page=50: the pages of the token rules do not end");
  });

  test("ids of a server never become other paths", async () => {
    const base = await serving(respondWith({ "/zones?": success([{ ...zone, id: "../../user" }]) }));
    expect((await pull(base)).err).toContain("the zone must have an id, a name and an account");
  });

  test("a server that ignores the name of the zone does not choose it", async () => {
    const base = await serving(respondWith({ "/zones?": success([{ ...zone, name: "other.example" }]) }));
    expect((await pull(base)).err).toContain("sees no zone with the name or id `example.com`");
    const two = await serving(respondWith({ "/zones?": success([zone, { ...zone, id: "z9" }]) }));
    expect((await pull(two)).err).toContain(
      `2 zones have the name \`example.com\`; give one of the ids \`${zoneId}\`, \`z9\``,
    );
  });

  test("the token is in no output, even when the server repeats it in a value", async () => {
    const rule = {
      id: ruleId,
      title: token,
      description: token,
      action: "log",
      enabled: true,
      expression: "true",
      selector: {},
    };
    const base = await serving(respondWith({ [rulesPath]: success([rule]), "/accounts": status(403) }));
    const { out, err } = await pull(base, ["--json"]);
    expect(out + err).toContain("***");
    expect(out + err).not.toContain(token);
  });

  test("every request is a GET with the token, to the given origin only", async () => {
    const seen: string[] = [];
    const respond = respondWith({});
    const base = await serving((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      respond(request, response);
    });
    await pull(base);
    expect(seen.length).toBeGreaterThanOrEqual(8);
    for (const line of seen)
      expect(line).toMatch(/^GET \/(zones|accounts)[^ ]* Bearer secret-token-0123456789$/);
  });

  test("a stop ends a wait, and nothing is written", async () => {
    const stop = new AbortController();
    const base = await serving(
      respondWith({
        [rulesPath]: status(429, { "retry-after": "50" }),
      }),
    );
    const onErr = (text: string) => void (text.includes("trying again in 50 s") && stop.abort());
    const options = { signal: stop.signal, onErr };
    const { code, out, err } = await pull(base, ["--out", at("stopped.json")], options);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("edgeproof: stopped; nothing was written\n");
    expect(existsSync(at("stopped.json"))).toBe(false);
  });

  test("a stop ends a request under way", async () => {
    const stop = new AbortController();
    const base = await serving(respondWith({ [rulesPath]: () => stop.abort() }));
    expect((await pull(base, [], { signal: stop.signal })).err).toContain("stopped; nothing was written");
  });
});

describe("usage", () => {
  test.each<[string, readonly string[], string]>([
    [
      "plain http to another machine",
      ["--base-url", "http://192.0.2.1/client/v4"],
      "the address 192.0.2.1 is not a loopback address, which plain http needs",
    ],
    [
      "another scheme",
      ["--base-url", "ftp://example.com"],
      "--base-url: the scheme `ftp` is not allowed, it must be https or http",
    ],
    [
      "credentials in the address",
      ["--base-url", "https://a:b@example.com"],
      "--base-url: the URL must not hold credentials",
    ],
    [
      "a query in the address",
      ["--base-url", "https://example.com/?a"],
      "--base-url: the URL must not have a query or a fragment",
    ],
    [
      "a wait that is not a number",
      ["--max-wait", "1m"],
      "--max-wait must be an integer from 0 to 3600; found `1m`",
    ],
  ])("%s is an error", async (_name, more, message) => {
    const { code, err } = await edgeproof(["world", "pull", "--zone", "z1", "--max-wait", "0", ...more], "", {
      env: { CLOUDFLARE_API_TOKEN: token },
    });
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toContain(token);
  });

  test("the token comes from the environment, and a malformed one is not printed", async () => {
    const missing = await edgeproof(["world", "pull", "--zone", "z1"]);
    expect(missing.err).toContain(
      "the environment variable `CLOUDFLARE_API_TOKEN` must hold an API token; it is not set",
    );
    const odd = await edgeproof(["world", "pull", "--zone", "z1"], "", {
      env: { CLOUDFLARE_API_TOKEN: "a b\r\nc" },
    });
    expect(odd.err).toContain(
      "the API token has characters that a bearer token cannot have; its value is not shown",
    );
    expect((await edgeproof(["world", "pull"])).err).toContain(
      "--zone is missing; it must be the domain or id of a zone",
    );
    expect((await edgeproof(["world", "pull", "--token", "x"])).err).toContain("unknown option `--token`");
  });
});

describe("custom rules", () => {
  const phase = "http_request_firewall_custom";
  const account = "a67e14daa5f8dceeb91fe5449ba496eb";
  const entry = `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`;
  const root = `/accounts/${account}/rulesets/phases/${phase}/entrypoint`;
  const rule = (id: string, action: string, expression: string, more: object = {}) => ({
    id,
    version: "1",
    ref: id,
    action,
    expression,
    enabled: true,
    description: "",
    last_updated: "2026-01-01T00:00:00Z",
    ...more,
  });
  const ruleset = (id: string, kind: string, rules: readonly object[]) => ({
    id,
    name: id,
    description: "",
    kind,
    phase,
    version: "4",
    last_updated: "2026-01-01T00:00:00Z",
    rules,
  });
  const list = { id: "l1", name: "office", kind: "ip", num_items: 2, description: "" };
  const execute = rule("r2", "execute", "true", { action_parameters: { id: "c1" } });
  const results: Readonly<Record<string, unknown>> = {
    [`/zones/${zoneId}/url_normalization`]: { type: "cloudflare", scope: "incoming" },
    [entry]: ruleset("e1", "zone", [rule("r1", "block", "not ip.src in $office")]),
    [root]: ruleset("e2", "root", [execute]),
    [`/accounts/${account}/rulesets/c1`]: ruleset("c1", "custom", [rule("r3", "log", "ssl")]),
    [`/accounts/${account}/rules/lists`]: [list, { ...list, id: "l2", name: "unused" }],
    [`/accounts/${account}/rules/lists/l1/items`]: [{ id: "i1", ip: "192.0.2.0/24", created_on: "" }],
    [`/accounts/${account}/rules/lists/l1/items?cursor=b%2F`]: [
      { id: "i2", ip: "198.51.100.7", created_on: "" },
    ],
  };

  /** A served world with custom rules; `statuses` are those of paths that are not read. */
  async function servedRules(
    statuses: Readonly<Record<string, number>> = {},
    other: Readonly<Record<string, unknown>> = {},
  ) {
    const answers = { ...results, ...other };
    const permissions = [
      "token_validation:read",
      "images:read",
      "brand_protection:read",
      "proxy:read",
    ] as const;
    const edge = createEdge({
      profile: "provider",
      world: worldOf(),
      credentials: [{ token, permissions: [...permissions] }],
    });
    const asked: string[] = [];
    const server = await serveOnNode(
      async (request, ...rest) => {
        const { pathname, search } = new URL(request.url);
        const path = (pathname + search).replace("/client/v4", "");
        asked.push(path);
        const status = statuses[path];
        const errors = [{ code: 10000, message: "Authentication error." }];
        if (status !== undefined)
          return Response.json({ success: false, errors, messages: [], result: null }, { status });
        if (!Object.hasOwn(answers, path)) return edge.fetch(request, ...rest);
        const cursors = path.endsWith("l1/items") && { result_info: { cursors: { after: "b/" } } };
        return Response.json({ success: true, errors: [], messages: [], result: answers[path], ...cursors });
      },
      { port: 0 },
    );
    closing.push(() => server.close());
    return { base: `${server.url}/client/v4`, asked };
  }

  async function verdictOf(text: string, ip: string) {
    const { action, custom } = await createEdge({ world: JSON.parse(text) }).tokens.evaluate(zoneId, {
      method: "GET",
      url: "https://www.example.com/",
      ip,
    });
    return [action, custom?.needs];
  }

  test("are pulled with the rulesets that they execute and all items of the lists that they name", async () => {
    const { base, asked } = await servedRules();
    const { code, out, err } = await pull(base);
    expect([code, err]).toEqual([0, expect.stringContaining("list")]);
    const world = JSON.parse(out);
    expect(world.accounts[0].rulesets.map(({ id }: { id: string }) => id)).toEqual(["e2", "c1"]);
    expect(world.accounts[0].lists).toMatchObject([
      { name: "office", items: ["192.0.2.0/24", "198.51.100.7"] },
    ]);
    expect(asked.filter((path) => path.includes("l2"))).toEqual([]);
    expect(await verdictOf(out, "192.0.2.1")).toEqual(["log", []]);
    expect(await verdictOf(out, "203.0.113.1")).toEqual(["block", []]);
  });

  test("of a served world are read back", async () => {
    const world = worldOf();
    const rulesets = (id: string, kind: "zone" | "root") => [
      {
        id,
        kind,
        phase,
        rules: [{ id: "r1", action: "block" as const, expression: "not ip.src in $office" }],
      },
    ];
    const given: World = {
      accounts: world.accounts!.map((owner) => ({
        ...owner,
        rulesets: rulesets("e2", "root"),
        lists: [{ id: "l1", name: "office", kind: "ip", items: ["192.0.2.0/24"] }],
      })),
      zones: world.zones!.map((owner, i) =>
        i === 0 ? { ...owner, rulesets: rulesets("e1", "zone") } : owner,
      ),
    };
    const { code, out } = await pull(await served(given));
    expect(code).toBe(0);
    const pulled = JSON.parse(out);
    expect(pulled.zones[0].rulesets).toMatchObject(given.zones![0]!.rulesets!);
    expect(pulled.accounts[0]).toMatchObject({
      rulesets: rulesets("e2", "root"),
      lists: given.accounts![0]!.lists,
    });
    const rejected = await pull(await served(given, ["rulesets:read"]), ["--partial"]);
    expect([rejected.code, await verdictOf(rejected.out, "192.0.2.1")]).toEqual([
      0,
      ["undecided", expect.anything()],
    ]);
  });

  test.each([
    ["a zone", entry, "zones"],
    ["an account", root, "accounts"],
  ])(
    "of %s that may not be read leave a usable world in which no verdict is decided",
    async (_, path, owners) => {
      const { base } = await servedRules({ [path]: 403 });
      expect(await pull(base)).toMatchObject({ code: 1, out: "" });
      const { code, out, err } = await pull(base, ["--partial"]);
      expect([code, err]).toEqual([0, expect.stringContaining("could not be read: status 403")]);
      const world = JSON.parse(out);
      expect(world.zones[0].token_validation.rules).toHaveLength(1);
      expect(world[owners][0].rulesets).toMatchObject([
        { rules: [{ undecided: expect.stringContaining("403") }] },
      ]);
      expect(await verdictOf(out, "192.0.2.1")).toEqual([
        "undecided",
        [expect.stringContaining("status 403")],
      ]);
    },
  );

  test("whose answer is another error need --partial", async () => {
    const { base } = await servedRules({ [entry]: 400 });
    expect(await pull(base)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("custom rules"),
    });
    const { code, out } = await pull(base, ["--partial"]);
    expect([code, await verdictOf(out, "192.0.2.1")]).toEqual([
      0,
      ["undecided", [expect.stringContaining("400")]],
    ]);
  });

  test.each<[string, string, unknown, string]>([
    ["an entry point", entry, {}, "expected a ruleset; found an object"],
    ["an entry point", entry, [null], "expected a ruleset; found an array of 1 element"],
    [
      "an entry point with a rule",
      entry,
      ruleset("e1", "zone", [null as never]),
      "expected rules; found `null`",
    ],
    [
      "an executed ruleset",
      `/accounts/${account}/rulesets/c1`,
      {},
      "The rules of the ruleset `c1` could not be read",
    ],
    [
      "lists",
      `/accounts/${account}/rules/lists`,
      [null],
      "The lists could not be read: expected lists; found `null`",
    ],
    [
      "the items of a list",
      `/accounts/${account}/rules/lists/l1/items`,
      [null],
      "The items of the list `office` could not be read: expected items; found `null`",
    ],
  ])("with %s (%s) of another form are not complete", async (_, path, result, message) => {
    const { base } = await servedRules({}, { [path]: result });
    const { code, out, err } = await pull(base);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
  });

  test("with lists that may not be read are undecided where the lists matter", async () => {
    const { base } = await servedRules({ [`/accounts/${account}/rules/lists`]: 403 });
    expect(await pull(base)).toMatchObject({ code: 1, out: "" });
    const { code, out, err } = await pull(base, ["--partial"]);
    expect([code, err]).toEqual([0, expect.stringContaining("The lists could not be read: status 403")]);
    expect(await verdictOf(out, "192.0.2.1")).toEqual(["undecided", ["$office"]]);
  });
});
