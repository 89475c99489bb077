/** `edgeproof serve --admin-port`: reset, seed, clock and faults, and hostile requests to them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAdminHandler } from "../../src/cli/admin/admin-handler.ts";
import { edgeproof } from "../support/cli.ts";
import { type Json, jsonOf } from "../support/client.ts";
import { ruleBody } from "../support/keys.ts";
import { runs } from "../support/runs.ts";
import { type ServedAddresses, serving } from "../support/serving.ts";
import { exchange, requestHead, statusOf } from "../support/socket.ts";

const folder = mkdtempSync(join(tmpdir(), "edgeproof-admin-"));

function fileOf(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

const expression = 'http.request.method eq "GET"';
const rule = { id: "00000000-0000-4000-8000-000000000001", ...ruleBody(expression) };
const zoneOf = (id: string) => ({ id, name: `${id}.example.com`, token_validation: { rules: [rule] } });
const world = { accounts: [{ id: "a1" }], zones: [zoneOf("z1")] };

interface Served extends ServedAddresses {
  /** Status and body of a request of the interface. */
  api(method: string, path: string, body?: unknown): Promise<[status: number, body: Json]>;
  /** The same of the administrative interface. */
  manage(method: string, path: string, body?: unknown): Promise<[status: number, body: Json]>;
}

const withServer = (words: readonly string[], work: (served: Served) => Promise<void>) =>
  serving(["--admin-port", "0", ...words], ({ url, admin }) => {
    const send = (base: string) => async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: "Bearer t",
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return [response.status, await jsonOf(response)] as [number, Json];
    };
    return work({ url, admin, api: send(url), manage: send(admin) });
  });

const rulesOf = (zone: string) => `/zones/${zone}/token_validation/rules`;

describe("POST /-/reset", () => {
  test("returns to the world, the clock and the faults of the start", async () => {
    const faults = fileOf("start.json", [{ every: 2, status: 503, match: { endpoint: "zones.list" } }]);
    await withServer(
      ["--world", fileOf("world.json", world), "--faults", faults],
      async ({ api, manage }) => {
        expect((await api("POST", rulesOf("z1"), ruleBody(expression)))[0]).toBe(200);
        expect((await api("DELETE", `${rulesOf("z1")}/${rule.id}`))[0]).toBe(200);
        const [, created] = await api("POST", "/accounts/a1/intel/v2/brand-protection/domain/queries", {
          query_tag: "one",
          parameters: { string_matches: [{ pattern: "example", max_edit_distance: 1 }] },
        });
        expect((await api("GET", "/zones"))[0]).toBe(200);
        await manage("PUT", "/-/faults", [{ status: 500 }]);
        await manage("POST", "/-/clock", { now: "2030-01-01T00:00:00Z" });
        await manage("POST", "/-/seed", { zones: [zoneOf("z2")] });
        const [status, { result }] = await manage("POST", "/-/reset");
        expect([status, result.now < "2030"]).toEqual([200, true]);
        const [, { result: rules }] = await api("GET", rulesOf("z1"));
        expect(rules.map(({ id }: Json) => id)).toEqual([rule.id]);
        expect((await api("GET", rulesOf("z2")))[0]).toBe(404);
        expect([(await api("GET", "/zones"))[0], (await api("GET", "/zones"))[0]]).toEqual([200, 503]);
        // Numbers of sequences begin again too.
        const [, again] = await api("POST", "/accounts/a1/intel/v2/brand-protection/domain/queries", {
          query_tag: "one",
          parameters: { string_matches: [{ pattern: "example", max_edit_distance: 1 }] },
        });
        expect(again.query_id).toBe(created.query_id);
      },
    );
  });

  test("lets requests in progress end on the earlier state, and parallel resets all succeed", async () => {
    const faults = fileOf("late.json", [{ delayMs: 300, times: 1, match: { method: "POST" } }]);
    await withServer(
      ["--world", fileOf("world.json", world), "--faults", faults],
      async ({ api, manage }) => {
        const late = api("POST", rulesOf("z1"), ruleBody(expression));
        for (;;) {
          const [, { result }] = await manage("GET", "/-/faults");
          if (result[0].counted === 1) break;
        }
        const resets = await Promise.all(Array.from({ length: 4 }, () => manage("POST", "/-/reset")));
        expect(resets.map(([status]) => status)).toEqual([200, 200, 200, 200]);
        expect((await late)[0]).toBe(200);
        expect((await api("GET", rulesOf("z1")))[1].result_info.total_count).toBe(1);
      },
    );
  });

  test("is rejected for a store that keeps its data", async () => {
    const data = join(folder, "kept.db");
    await withServer(["--data", data], async ({ api, manage }) => {
      await api("POST", rulesOf("z1"), ruleBody(expression));
      const [status, { errors }] = await manage("POST", "/-/reset");
      expect([status, errors[0].code]).toEqual([400, 10400]);
      expect(errors[0].message).toMatch(/only data in memory can be reset/);
      expect((await api("GET", rulesOf("z1")))[1].result_info.total_count).toBe(1);
    });
  });
});

describe("POST /-/seed", () => {
  test("adds zones and accounts; those that it does not name stay, with their tokens", async () => {
    const token = { token: "t", permissions: ["token_validation:write"] as const };
    const first = { ...world, api_tokens: [token] };
    await withServer(["--world", fileOf("tokens.json", first)], async ({ api, manage }) => {
      const more = {
        accounts: [{ id: "a2" }],
        zones: [{ ...zoneOf("z2"), account_id: "a2" }],
        api_tokens: [{ token: "u", permissions: ["token_validation:read"] }],
      };
      const [status, { result }] = await manage("POST", "/-/seed", more);
      expect([status, result.notes]).toEqual([
        200,
        ["world: added an API token without a name", "world: added account `a2`", "world: added zone `z2`"],
      ]);
      for (const zone of ["z1", "z2"]) expect((await api("GET", rulesOf(zone)))[1].result).toHaveLength(1);
      const again = await manage("POST", "/-/seed", {
        zones: [{ ...zoneOf("z1"), token_validation: { rules: [] } }],
      });
      expect(again[1].result.notes.join()).toMatch(/zone `z1`/);
      expect((await api("GET", rulesOf("z1")))[1].result).toHaveLength(1);
    });
  });

  test.each([
    ["a member that does not exist", { zone: [] }, "/zone"],
    [
      "an invalid rule beside a valid zone",
      {
        zones: [
          zoneOf("z2"),
          { ...zoneOf("z3"), token_validation: { rules: [{ ...rule, expression: "(" }] } },
        ],
      },
      "/zones/1/token_validation/rules/0/expression",
    ],
    ["an unknown account", { zones: [{ ...zoneOf("z2"), account_id: "a9" }] }, "/zones/0/account_id"],
    ["another profile", { profile: "provider", zones: [zoneOf("z2")] }, "/profile"],
    [
      "a name that another zone has",
      {
        zones: [
          { id: "z2", name: "x.example.com" },
          { id: "z3", name: "x.example.com" },
        ],
      },
      "/zones/1/name",
    ],
  ])("is rejected as a whole for %s, with the pointer", async (_, body, pointer) => {
    await withServer(["--world", fileOf("world.json", world)], async ({ api, manage }) => {
      const [status, { errors }] = await manage("POST", "/-/seed", body);
      expect([status, errors[0].source?.pointer]).toEqual([400, pointer]);
      expect((await api("GET", "/zones"))[1].result.map(({ id }: Json) => id)).toEqual(["z1"]);
    });
  });
});

describe("/-/clock", () => {
  test("is set, advanced and read; the interface has its time", async () => {
    await withServer([], async ({ api, manage }) => {
      const [, { result }] = await manage("POST", "/-/clock", { now: "2030-01-01T00:00:00+01:00" });
      expect(result.now).toMatch(/^2029-12-31T23:00:0/);
      await manage("POST", "/-/clock", { advanceMs: 3_600_000 });
      expect((await manage("GET", "/-/clock"))[1].result.now).toMatch(/^2030-01-01T00:00:/);
      const [, created] = await api("POST", rulesOf("z1"), ruleBody(expression));
      expect(created.result.created_at).toMatch(/^2030-01-01T00:00:/);
      await manage("POST", "/-/clock", { advanceMs: -86_400_000 });
      expect((await manage("GET", "/-/clock"))[1].result.now).toMatch(/^2029-12-31T00:00:/);
    });
  });

  test.each([
    {},
    { now: "2030-01-01T00:00:00Z", advanceMs: 1 },
    { now: "tomorrow" },
    { now: 5 },
    { now: "1969-12-31T23:59:59Z" },
    { advanceMs: 1e15 },
    { advanceMs: 1.5 },
    { advanceSeconds: 1 },
    [[]],
    null,
    "{",
  ])("%j is rejected, and the clock stays", async (body) => {
    await withServer([], async ({ manage }) => {
      const [status, { errors }] = await manage("POST", "/-/clock", body);
      expect([status, typeof errors[0].message]).toEqual([400, "string"]);
      const { now } = (await manage("GET", "/-/clock"))[1].result;
      expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    });
  });
});

describe("/-/faults", () => {
  test("are replaced, read with their counts and removed; an invalid list changes nothing", async () => {
    await withServer([], async ({ api, manage }) => {
      const rules = [{ every: 2, status: 429 }];
      expect((await manage("PUT", "/-/faults", rules))[1].result).toEqual([
        { rule: rules[0], counted: 0, happened: 0 },
      ]);
      expect([(await api("GET", "/zones"))[0], (await api("GET", "/zones"))[0]]).toEqual([200, 429]);
      const [status, { errors }] = await manage("PUT", "/-/faults", [{ every: 0 }, { status: 404 }]);
      expect([status, errors.map(({ source }: Json) => source.pointer)]).toEqual([
        400,
        ["/0/every", "/1/status"],
      ]);
      const [, { result }] = await manage("GET", "/-/faults");
      expect(result).toEqual([{ rule: rules[0], counted: 2, happened: 1 }]);
      expect((await manage("DELETE", "/-/faults"))[1].result).toEqual([]);
      expect((await api("GET", "/zones"))[0]).toBe(200);
    });
  });
});

describe("hostile requests", () => {
  const head = (line: string, ...headers: readonly string[]) =>
    requestHead(line, "Connection: close", ...headers);

  test("pages in a browser and other host names are rejected before anything changes", async () => {
    await withServer([], async ({ admin, api }) => {
      await api("POST", rulesOf("z1"), ruleBody(expression));
      const { host } = new URL(admin);
      const post = "POST /-/reset HTTP/1.1";
      const length = "Content-Length: 0";
      const statuses = [
        await exchange(admin, head(post, `Host: ${host}`, length, "Origin: https://attacker.example")),
        await exchange(admin, head(post, `Host: ${host}`, length, "Origin: null")),
        await exchange(admin, head(post, `Host: ${host}`, length, "Sec-Fetch-Site: cross-site")),
        await exchange(admin, head(post, "Host: attacker.example", length)),
        await exchange(admin, head(post, length)),
        await exchange(admin, head("OPTIONS /-/reset HTTP/1.1", `Host: ${host}`)),
      ];
      expect(statuses.map(statusOf)).toEqual([403, 403, 403, 421, 400, 405]);
      expect(statuses.join()).not.toMatch(/access-control/i);
      expect((await api("GET", rulesOf("z1")))[1].result_info.total_count).toBe(1);
    });
  });

  test("addresses, methods, types and sizes that it does not have are failures with a code", async () => {
    await withServer([], async ({ admin, manage }) => {
      const codes = [];
      for (const [method, path] of [
        ["GET", "/"],
        ["GET", "/-/"],
        ["POST", "/-/reset/"],
        ["GET", "/-/__proto__"],
        ["GET", "/client/v4/zones"],
        ["GET", "/-/reset"],
        ["PATCH", "/-/faults"],
        ["PUT", "/-/clock"],
      ] as const) {
        const [status, { errors }] = await manage(method, path);
        codes.push(`${status} ${errors[0].code}`);
      }
      expect(codes).toEqual([...Array(5).fill("404 7003"), ...Array(3).fill("405 10405")]);
      const typed = await fetch(`${admin}/-/seed`, {
        method: "POST",
        headers: { "content-type": "text/plain" },
        body: "{}",
      });
      expect([typed.status, (await jsonOf(typed)).errors[0].code]).toEqual([400, 9207]);
      const packed = await fetch(`${admin}/-/clock`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        body: gzipSync('{"advanceMs":1}'),
      });
      expect([packed.status, (await jsonOf(packed)).errors[0].code]).toEqual([415, 10415]);
      const headers = { "content-type": "application/json", "content-length": "99999999999" };
      const large = new Request(`${admin}/-/seed`, { method: "POST", headers, body: "{}" });
      expect((await createAdminHandler({ edge: {} } as never)(large)).status).toBe(413);
      const head = await fetch(`${admin}/-/clock`, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      const put = await fetch(`${admin}/-/clock`, { method: "PUT" });
      expect(put.headers.get("allow")).toBe("GET, HEAD, POST");
    });
  });

  test.each([
    [{}, "The body must have exactly one of `now` and `advanceMs`; it has none of them."],
    [{ now: "2030-01-01T00:00:00Z", advanceMs: 1 }, "it has both."],
    [{ now: "" }, "; found an empty string."],
    [{ advance: 1 }, "`advance` is not a member of the body"],
  ])("%j as a time: the message says %s", async (body, message) => {
    await withServer([], async ({ manage }) => {
      expect((await manage("POST", "/-/clock", body))[1].errors[0].message).toContain(message);
    });
  });

  test("no body makes it fail with 500, and the server goes on", async () => {
    await withServer([], async ({ admin, manage }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom("/-/seed", "/-/clock", "/-/faults"),
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.constantFrom('{"zones":null}', "[[]]", '{"now":{}}', '[{"match":[]}]'),
          ),
          async (path, body) => {
            const method = path === "/-/faults" ? "PUT" : "POST";
            const [status, answer] = await manage(method, path, body === "" ? " " : body);
            expect([200, 400], JSON.stringify(answer)).toContain(status);
          },
        ),
        { numRuns: runs(400) },
      );
      expect((await fetch(`${admin}/-/clock`)).status).toBe(200);
    });
  });
});

describe("options", () => {
  test("an invalid file of faults is an error with its place", async () => {
    const file = fileOf("bad.json", '[\n  {"status": 429},\n  {"status": 418}\n]');
    const { code, err } = await edgeproof(["serve", "--port", "0", "--faults", file]);
    expect(code).toBe(2);
    expect(err).toContain(
      `${file}:3:14: /1/status: \`1.status\` must be \`429\`, \`500\` or \`503\`; found \`418\`.`,
    );
  });

  test("an options file can have faults, whose endpoints are checked too", async () => {
    const file = fileOf("options.json", { faults: [{ match: { endpoint: "zone.list" }, status: 429 }] });
    const { code, err } = await edgeproof(["serve", "--port", "0", "--options", file]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("/faults/0/match/endpoint: There is no endpoint `zone.list`"),
    ]);
  });

  test("--allow-faults lets a request ask for a fault; without it the header is ignored", async () => {
    for (const [words, status] of [
      [["--allow-faults"], 429],
      [[], 200],
    ] as const)
      await serving(words, async ({ url, admin }) => {
        const headers = { authorization: "Bearer t", prefer: "code=429" };
        expect([(await fetch(`${url}/zones`, { headers })).status, admin]).toEqual([status, ""]);
      });
  });

  test("--admin-host without --admin-port is a usage error", async () => {
    expect(await edgeproof(["serve", "--port", "0", "--admin-host", "127.0.0.1"])).toMatchObject({
      code: 2,
      err: "edgeproof: --admin-host needs --admin-port\n",
    });
  });

  test("--admin-port that is taken is a usage error", async () => {
    await withServer([], async ({ admin }) => {
      const { port } = new URL(admin);
      const { code, err } = await edgeproof(["serve", "--port", "0", "--admin-port", port]);
      expect([code, err]).toEqual([2, expect.stringContaining(`cannot listen on port ${port}`)]);
    });
  });

  test("the address is printed without --json too", async () => {
    const stop = new AbortController();
    const onOut = (text: string) => {
      if (text.includes("administration")) stop.abort();
    };
    const { out } = await edgeproof(["serve", "--port", "0", "--admin-port", "0"], "", {
      signal: stop.signal,
      onOut,
    });
    expect(out).toMatch(/^edgeproof administration: http:\/\/127\.0\.0\.1:\d+\/-\/$/m);
  });
});
