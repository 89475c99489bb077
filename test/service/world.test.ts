/** The world file: what it seeds, and what is said of a wrong one. */
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../src/edge.ts";
import { InvalidInputError } from "../../src/errors.ts";
import type { World } from "../../src/service/world/schema.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import { clientOf } from "../support/client.ts";
import { testKeys } from "../support/keys.ts";

const config = "6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a11";

async function world(): Promise<World> {
  const { es256 } = await testKeys();
  return {
    accounts: [{ id: "a1", name: "Example" }],
    zones: [
      {
        id: "z1",
        name: "example.com",
        token_validation: {
          operations: [
            { operation_id: "get-users", method: "GET", host: "api.example.com", endpoint: "/users" },
          ],
          configs: [
            {
              id: config,
              token_sources: ['http.request.headers["x"][0]'],
              credentials: { keys: [es256.jwk] },
            },
          ],
          rules: [
            {
              action: "block",
              expression: `is_jwt_valid("${config}")`,
              selector: { include: [{ host: ["api.example.com"] }] },
            },
          ],
        },
      },
    ],
  };
}

const request = { method: "GET", url: "https://api.example.com/users" };

test("the contents of a world are served and evaluated", async () => {
  const edge = createEdge({ world: await world() });
  const client = clientOf(edge, "/zones/z1/token_validation");
  expect((await client.ok("GET", `/config/${config}`)).result.title).toBe("Untitled");
  expect((await client.ok("GET", "/rules")).result).toMatchObject([{ enabled: true, action: "block" }]);
  expect((await edge.tokens.evaluate("z1", request)).action).toBe("block");
  expect(
    (await edge.tokens.evaluate("z1", { ...request, url: "https://api.example.com/other" })).outcome,
  ).toBe("not_an_operation");
});

test("evaluation uses every change immediately", async () => {
  const edge = createEdge({ world: await world() });
  const client = clientOf(edge, "/zones/z1/token_validation");
  const [rule] = (await client.ok("GET", "/rules")).result;
  expect((await edge.tokens.evaluate("z1", request)).action).toBe("block");
  await client.ok("PATCH", `/rules/${rule.id}`, { action: "log" });
  expect((await edge.tokens.evaluate("z1", request)).action).toBe("log");
  await client.ok("PATCH", "/rules/bulk", [{ id: rule.id, enabled: false }]);
  expect((await edge.tokens.evaluate("z1", request)).outcome).toBe("no_rule");
  await client.ok("DELETE", `/rules/${rule.id}`);
  expect((await edge.tokens.evaluate("z1", request)).rules).toEqual([]);
});

test("new credentials apply immediately, also to a token that was verified before", async () => {
  const { mintKey, mintToken } = await import("../../src/testing/tokens/mint.ts");
  const [old, next] = [await mintKey("ES256", "k"), await mintKey("ES256", "k")];
  const input = await world();
  const edge = createEdge({ world: input });
  const client = clientOf(edge, "/zones/z1/token_validation");
  const token = await mintToken(old, {});
  const verdict = async () =>
    (await edge.tokens.evaluate("z1", { ...request, headers: { x: token } })).action;
  await client.ok("PUT", `/config/${config}/credentials`, { keys: [old.jwk] });
  expect([await verdict(), await verdict()]).toEqual(["allow", "allow"]);
  await client.ok("PUT", `/config/${config}/credentials`, { keys: [next.jwk] });
  expect(await verdict()).toBe("block");
});

test("precedence is a setting of the profile: all rules, or the first enabled one", async () => {
  const input = await world();
  const [zone] = input.zones!;
  const [rule] = zone!.token_validation!.rules!;
  zone!.token_validation!.rules = [{ ...rule!, action: "log" }, rule!];
  expect((await createEdge({ world: input }).tokens.evaluate("z1", request)).action).toBe("block");
  const provider = createEdge({ world: input, profile: "provider" });
  const verdict = await provider.tokens.evaluate("z1", request);
  expect([verdict.action, verdict.rules.map((r) => r.result)]).toEqual(["log", ["fired", "shadowed"]]);
});

test("both verifiers return the same verdict", async () => {
  const input = await world();
  for (const verifier of ["node", "jose"] as const) {
    const edge = createEdge({ world: input, verifier });
    const verdict = await edge.tokens.evaluate("z1", { ...request, headers: { x: "a.b.c" } });
    expect([verdict.action, verdict.trace.tokens[0]?.reason]).toEqual(["block", "malformed"]);
  }
});

test("clock tolerance is a setting of the profile: 0 s, or 60 s", async () => {
  const { mintKey, mintToken } = await import("../../src/testing/tokens/mint.ts");
  const key = await mintKey("ES256");
  const input = await world();
  input.zones![0]!.token_validation!.configs![0]!.credentials.keys = [key.jwk];
  const headers = { x: await mintToken(key, { exp: 1_000 }) };
  const at = async (seconds: number, profile: "spec" | "provider") => {
    const edge = createEdge({ world: input, profile, clock: () => seconds * 1000 });
    return (await edge.tokens.evaluate("z1", { ...request, headers })).action;
  };
  expect([await at(999, "spec"), await at(1_000, "spec")]).toEqual(["allow", "block"]);
  expect([await at(1_059, "provider"), await at(1_060, "provider")]).toEqual(["allow", "block"]);
});

test("a zone that the store already has is not seeded again", async () => {
  const store = createMemoryStore();
  const first = createEdge({ store, world: await world() });
  const client = clientOf(first, "/zones/z1/token_validation");
  const [rule] = (await client.ok("GET", "/rules")).result;
  await client.ok("DELETE", `/rules/${rule.id}`);
  const again = clientOf(createEdge({ store, world: await world() }), "/zones/z1/token_validation");
  expect((await again.ok("GET", "/rules")).result).toEqual([]);
});

describe("an invalid world is rejected as a whole, with every pointer", () => {
  const problemsOf = (value: unknown, options: EdgeOptions = {}): string[] => {
    try {
      createEdge({ ...options, world: value as World });
      return [];
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidInputError);
      return (error as InvalidInputError).problems.map((p) => p.pointer ?? "");
    }
  };

  test.each<[string, unknown, string[]]>([
    ["no object", [], [""]],
    ["an unknown member", { zone: [] }, ["/zone"]],
    ["a zone without id", { zones: [{}] }, ["/zones/0/id"]],
    ["an id with a space", { zones: [{ id: "z 1" }] }, ["/zones/0/id"]],
    ["an id twice", { zones: [{ id: "a" }, { id: "a", name: "b" }] }, ["/zones/1/id"]],
    [
      "a name twice",
      {
        zones: [
          { id: "a", name: "n" },
          { id: "b", name: "n" },
        ],
      },
      ["/zones/1/name"],
    ],
    [
      "an unknown account",
      { accounts: [{ id: "a" }], zones: [{ id: "z", account_id: "b" }] },
      ["/zones/0/account_id"],
    ],
    [
      "an unknown permission",
      { api_tokens: [{ token: "t", permissions: ["all"] }] },
      ["/api_tokens/0/permissions/0"],
    ],
  ])("%s", (_name, value, pointers) => {
    expect(problemsOf(value)).toEqual(pointers);
  });

  test("problems of token validation have pointers into the world", async () => {
    const input = await world();
    const tokens = input.zones![0]!.token_validation!;
    tokens.rules![0]!.expression = "is_jwt_valid(5)";
    expect(problemsOf(input)).toEqual(["/zones/0/token_validation/rules/0/expression"]);
    tokens.rules![0]!.expression = 'is_jwt_valid("00000000-0000-4000-8000-000000000000")';
    expect(problemsOf(input)).toEqual(["/zones/0/token_validation/rules/0/expression"]);
    tokens.rules = [];
    tokens.configs![0]!.credentials.keys = [{ kty: "oct" }];
    expect(problemsOf(input)[0]).toMatch(/^\/zones\/0\/token_validation\/configs\/0\/credentials\/keys\/0/);
  });

  test("more configurations or rules than the limits allow are problems", async () => {
    const input = await world();
    const tokens = input.zones![0]!.token_validation!;
    const counted = (options: EdgeOptions) => problemsOf(input, options);
    const configs = (length: number) =>
      Array.from({ length }, (_, i) => ({
        ...tokens.configs![0]!,
        id: `${config.slice(0, -2)}${i + 10}`,
      }));
    tokens.configs = configs(33);
    tokens.rules = Array.from({ length: 3 }, () => ({
      ...tokens.rules![0]!,
      expression: 'http.host eq "a"',
    }));
    expect(counted({ configsPerZone: 33, limits: { rulesPerZone: 3 } })).toEqual([]);
    expect(counted({ profile: "provider" })).toEqual(["/zones/0/token_validation/configs"]);
    expect(counted({ configsPerZone: 32, limits: { rulesPerZone: 2 } })).toEqual([
      "/zones/0/token_validation/configs",
      "/zones/0/token_validation/rules",
    ]);
  });
});
