/** Token validation rules over HTTP: filters, order, bulk requests, positions. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { type Client, clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { configBody, ruleBody, type TestKeys, testKeys } from "../../support/keys.ts";
import { runs } from "../../support/runs.ts";

let keys: TestKeys;
beforeAll(async () => {
  keys = await testKeys();
});

const absent = "00000000-0000-4000-8000-000000000000";

interface Zone {
  readonly client: Client;
  readonly config: string;
  readonly valid: string;
}

async function zone(options: EdgeOptions = {}): Promise<Zone> {
  const client = clientOf(createEdge(options), "/zones/z1/token_validation");
  const config = (await client.ok("POST", "/config", configBody([keys.es256]))).result.id;
  return { client, config, valid: `is_jwt_valid("${config}")` };
}

async function titles(client: Client, query = "per_page=50"): Promise<string> {
  return (await client.ok("GET", `/rules?${query}`)).result.map((r: Json) => r.title).join("");
}

/** Rules titled by the letters, and their ids by letter. */
async function rules({ client, valid }: Zone, letters: string): Promise<Record<string, string>> {
  const body = [...letters].map((title) => ruleBody(valid, { title }));
  const { result } = await client.ok("POST", "/rules/bulk", body);
  return Object.fromEntries(result.map((r: Json) => [r.title, r.id]));
}

describe("create, read, delete", () => {
  test("the response has the nine members of the specification", async () => {
    const { client, valid } = await zone();
    const { result } = await client.ok("POST", "/rules", ruleBody(valid));
    expect(Object.keys(result).sort()).toEqual(
      [
        "action",
        "created_at",
        "description",
        "enabled",
        "expression",
        "id",
        "last_updated",
        "selector",
        "title",
      ].sort(),
    );
    expect(result).toMatchObject(ruleBody(valid));
    expect((await client.ok("GET", `/rules/${result.id}`)).result).toEqual(result);
    expect((await client.ok("DELETE", `/rules/${result.id}`)).success).toBe(true);
    await expectFailure(await client("GET", `/rules/${result.id}`), { status: 404, code: 10404 });
  });

  test("an empty selector is accepted", async () => {
    const { client, valid } = await zone();
    expect((await client.ok("POST", "/rules", ruleBody(valid, { selector: {} }))).result.selector).toEqual(
      {},
    );
  });

  test("a new rule becomes the last one, and a position in a create is rejected", async () => {
    const z = await zone();
    await rules(z, "ab");
    await z.client.ok("POST", "/rules", ruleBody(z.valid, { title: "c" }));
    expect(await titles(z.client)).toBe("abc");
    const body = ruleBody(z.valid, { position: { index: 1 } });
    await expectFailure(await z.client("POST", "/rules", body), {
      status: 400,
      code: 10400,
      pointer: "/position",
    });
  });

  test("the message on too many rules has their number", async () => {
    const z = await zone({ limits: { rulesPerZone: 2 } });
    const body = ["a", "b", "c"].map((title) => ruleBody(z.valid, { title }));
    await expectFailure(await z.client("POST", "/rules/bulk", body), {
      status: 400,
      code: 10400,
      message: /at most 2 rules; this one has 0 and would have 3/,
    });
    expect(await titles(z.client)).toBe("");
  });

  test("a zone has at most `limits.rulesPerZone` rules", async () => {
    const z = await zone({ limits: { rulesPerZone: 2 } });
    await rules(z, "ab");
    await expectFailure(await z.client("POST", "/rules", ruleBody(z.valid)), { status: 400, code: 10400 });
  });

  test.each<[string, object, string, RegExp]>([
    ["another action", { action: "drop" }, "/action", /`log` or `block`.*`drop`/],
    ["an enabled that is text", { enabled: "true" }, "/enabled", /boolean/],
    ["a selector that is null", { selector: null }, "/selector", /object/],
    ["an include that is not an array", { selector: { include: {} } }, "/selector/include", /array/],
    [
      "a host that is not a string",
      { selector: { include: [{ host: [5] }] } },
      "/selector/include/0/host/0",
      /string/,
    ],
    ["a malformed expression", { expression: "is_jwt_valid(" }, "/expression", /line 1, column 14/],
    ["an unknown configuration", { expression: `is_jwt_valid("${absent}")` }, "/expression", /column 14/],
    ["an unknown field", { expression: 'ip.src eq "1"' }, "/expression", /ip/],
  ])("%s is rejected with a pointer", async (_name, change, pointer, message) => {
    const { client, valid } = await zone();
    const response = await client("POST", "/rules", ruleBody(valid, change));
    await expectFailure(response, { status: 400, code: 10400, pointer, message });
    expect(await titles(client)).toBe("");
  });
});

describe("filters", () => {
  test("each filter works alone, by either name, and with others", async () => {
    const z = await zone();
    const other = (await z.client.ok("POST", "/config", configBody([keys.es256]))).result.id;
    const a = ruleBody(z.valid, { title: "a", action: "log" });
    const b = ruleBody(`is_jwt_present("${other}")`, { title: "b", enabled: false });
    const c = ruleBody(`${z.valid} or is_jwt_valid("${other}")`, {
      title: "c",
      selector: { include: [{ host: ["x.example.com"] }, { host: ["WWW.example.com"] }] },
    });
    const { result } = await z.client.ok("POST", "/rules/bulk", [a, b, c]);
    const id = result[1].id;
    const expected: Record<string, string> = {
      "": "abc",
      [`id=${id}`]: "b",
      [`rule_id=${id}`]: "b",
      [`id=${absent}`]: "",
      "action=log": "a",
      "action=block": "bc",
      "enabled=true": "ac",
      "enabled=false": "b",
      "host=www.example.com": "c",
      "hostname=API.example.com": "ab",
      [`token_configuration=${other}`]: "bc",
      [`token_configuration=${other}&token_configuration=${z.config}`]: "abc",
      [`token_configuration[]=${other}`]: "bc",
      [`token_configuration%5B0%5D=${z.config}`]: "ac",
      [`token_configuration=${other}%2C${z.config}`]: "abc",
      [`action=block&enabled=true`]: "c",
      [`token_configuration=${other.toUpperCase()}`]: "bc",
      [`rule_id=${id.toUpperCase()}`]: "b",
      [`id=${id}&rule_id=${id}`]: "b",
      "host=www.example.com&hostname=www.example.com": "c",
      "page=2&per_page=2": "c",
      "page=9": "",
    };
    for (const [query, found] of Object.entries(expected))
      expect(await titles(z.client, query), query).toBe(found);
  });

  test.each([
    "action=drop",
    "enabled=yes",
    "page=0",
    "id=1",
    "id=00000000-0000-4000-8000-000000000000&rule_id=00000000-0000-4000-8000-000000000001",
    "host=x.example.com&hostname=www.example.com",
  ])("%s is rejected", async (query) => {
    const { client } = await zone();
    await expectFailure(await client("GET", `/rules?${query}`), { status: 400, code: 10400 });
  });
});

describe("positions", () => {
  test.each([
    ["index 1 is the first place", "d", { index: 1 }, "dabc"],
    ["beyond the end means last", "a", { index: 99 }, "bcda"],
    ["before a rule", "d", { before: "b" }, "adbc"],
    ["after a rule", "a", { after: "c" }, "bcad"],
  ])("%s", async (_name, moved, position, expected) => {
    const z = await zone();
    const ids = await rules(z, "abcd");
    await z.client.ok("PATCH", `/rules/${ids[moved]}`, { position: resolve(position, ids) });
    expect(await titles(z.client)).toBe(expected);
  });

  test("a neighbor's id is accepted in any letter case, the rule's own too", async () => {
    const z = await zone();
    const ids = await rules(z, "abc");
    const upper = (letter: string) => ids[letter]!.toUpperCase();
    await z.client.ok("PATCH", `/rules/${upper("c")}`, { position: { before: upper("a") } });
    expect(await titles(z.client)).toBe("cab");
    const itself = { id: upper("a"), position: { after: upper("a") } };
    await expectFailure(await z.client("PATCH", "/rules/bulk", [itself]), {
      status: 400,
      code: 10400,
      pointer: "/0/position/after",
      message: /itself/,
    });
  });

  test("index 0 is read as 1, with a message", async () => {
    const z = await zone();
    const ids = await rules(z, "abc");
    const { messages } = await z.client.ok("PATCH", `/rules/${ids["c"]}`, { position: { index: 0 } });
    expect(messages).toEqual([
      { code: 10402, message: expect.any(String), source: { pointer: "/position/index" } },
    ]);
    expect(await titles(z.client)).toBe("cab");
  });

  test.each<[string, unknown]>([
    ["negative", { index: -1 }],
    ["fractional", { index: 1.5 }],
    ["no number", { index: "1" }],
    ["empty", {}],
    ["null", null],
    ["several members", { index: 1, before: "a" }],
    ["an empty id", { before: "" }],
    ["an unknown id", { after: absent }],
    ["before itself", { before: "b" }],
    ["after itself", { after: "b" }],
  ])("%s is rejected with the whole edit", async (_name, position) => {
    const z = await zone();
    const ids = await rules(z, "abc");
    const body = { title: "new", position: resolve(position, ids) };
    await expectFailure(await z.client("PATCH", `/rules/${ids["b"]}`, body), { status: 400, code: 10400 });
    expect(await titles(z.client)).toBe("abc");
  });

  test("after any sequence of moves and deletions the order equals that of a plain list", async () => {
    const step = fc.record({ rule: fc.nat(5), index: fc.nat(8), remove: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const z = await zone();
        const ids = await rules(z, "abcdef");
        let model = [..."abcdef"];
        for (const { rule, index, remove } of steps) {
          const letter = model[rule % Math.max(model.length, 1)];
          if (letter === undefined) continue;
          model = model.filter((l) => l !== letter);
          if (remove && index === 8) await z.client.ok("DELETE", `/rules/${ids[letter]}`);
          else {
            await z.client.ok("PATCH", `/rules/${ids[letter]}`, { position: { index } });
            model.splice(Math.max(index - 1, 0), 0, letter);
          }
          expect(await titles(z.client)).toBe(model.join(""));
        }
      }),
      { numRuns: runs(25) },
    );
  });
});

function resolve(position: unknown, ids: Record<string, string>): unknown {
  if (typeof position !== "object" || position === null) return position;
  return Object.fromEntries(Object.entries(position).map(([key, v]) => [key, ids[v as string] ?? v]));
}

describe("bulk", () => {
  test("edits of one rule are one change: in order, later members count, with one rule in the result and a note", async () => {
    const z = await zone();
    const { a, b } = await rules(z, "ab");
    const edits = [
      { id: a, title: "first", enabled: false, position: { index: 2 } },
      { id: b, action: "log" },
      { id: a!.toUpperCase(), title: "last" },
    ];
    const { result, messages } = await z.client.ok("PATCH", "/rules/bulk", edits);
    expect(result.map(({ id, title, enabled }: Json) => [id, title, enabled])).toEqual([
      [a, "last", false],
      [b, "b", true],
    ]);
    expect(messages).toEqual([
      {
        code: 10402,
        message: `Rule \`${a!.toUpperCase()}\` is edited more than once; later members count.`,
        source: { pointer: "/2/id" },
      },
    ]);
    expect(await titles(z.client)).toBe("blast");
  });

  test("POST creates rules in order, after the others", async () => {
    const z = await zone();
    await rules(z, "ab");
    await rules(z, "cd");
    expect(await titles(z.client)).toBe("abcd");
  });

  test("one invalid rule rejects all, with its pointer", async () => {
    const z = await zone();
    const body = [ruleBody(z.valid), ruleBody(z.valid, { action: "drop" }), ruleBody(z.valid)];
    await expectFailure(await z.client("POST", "/rules/bulk", body), {
      status: 400,
      code: 10400,
      pointer: "/1/action",
    });
    expect(await titles(z.client)).toBe("");
  });

  test("edits apply in order, each position relative to the order after the previous edit", async () => {
    const z = await zone();
    const ids = await rules(z, "abc");
    const { result } = await z.client.ok("PATCH", "/rules/bulk", [
      { id: ids["c"], position: { index: 1 } },
      { id: ids["b"], position: { index: 1 }, enabled: false },
      { id: ids["c"], title: "C" },
    ]);
    expect(result.map((r: Json) => r.title)).toEqual(["C", "b"]);
    expect(await titles(z.client)).toBe("bCa");
    expect((await z.client.ok("GET", `/rules/${ids["b"]}`)).result.enabled).toBe(false);
  });

  test.each<[string, (ids: Record<string, string>) => unknown, string]>([
    ["an unknown rule", () => ({ id: absent }), "/1/id"],
    ["no id", () => ({ title: "x" }), "/1/id"],
    ["a wrong member", (ids) => ({ id: ids["b"], enabled: 1 }), "/1/enabled"],
    ["a wrong position", (ids) => ({ id: ids["b"], position: { before: absent } }), "/1/position/before"],
    [
      "an unknown configuration",
      (ids) => ({ id: ids["b"], expression: `is_jwt_valid("${absent}")` }),
      "/1/expression",
    ],
  ])("%s rejects all, with its pointer", async (_name, second, pointer) => {
    const z = await zone();
    const ids = await rules(z, "abc");
    const body = [{ id: ids["c"], title: "changed", position: { index: 1 } }, second(ids)];
    await expectFailure(await z.client("PATCH", "/rules/bulk", body), { status: 400, code: 10400, pointer });
    expect(await titles(z.client)).toBe("abc");
  });

  test.each(["POST", "PATCH"])(
    "%s rejects a body that is not an array, and accepts an empty one",
    async (method) => {
      const { client } = await zone();
      await expectFailure(await client(method, "/rules/bulk", {}), { status: 400, code: 10400, pointer: "" });
      expect((await client.ok(method, "/rules/bulk", [])).result).toEqual([]);
    },
  );

  test("more rules than `limits.bulkRules` are rejected", async () => {
    const z = await zone({ limits: { bulkRules: 2 } });
    const body = Array(3).fill(ruleBody(z.valid));
    await expectFailure(await z.client("POST", "/rules/bulk", body), {
      status: 400,
      code: 10400,
      pointer: "",
    });
  });

  test("concurrent moves lose nothing", async () => {
    const z = await zone();
    const ids = await rules(z, "abcdefgh");
    await Promise.all(
      Object.values(ids).map((id, i) =>
        z.client.ok("PATCH", `/rules/${id}`, { position: { index: (i * 5) % 8 } }),
      ),
    );
    expect([...(await titles(z.client))].sort().join("")).toBe("abcdefgh");
  });
});

describe("hosts that cannot match", () => {
  const operations = [{ operation_id: "o", method: "GET", host: "{v}.example.com", endpoint: "/" }];
  const world = { zones: [{ id: "z1", token_validation: { operations } }] };
  const hosts = [
    "*.example.com",
    "api.example.com:443",
    "{w}.Example.com",
    "{w}.example.net",
    "api.example.com",
  ];
  const selector = { include: [{ host: hosts }] };

  test("are accepted with a message for each in profile spec", async () => {
    const { client, valid } = await zone({ world });
    const { messages, result } = await client.ok("POST", "/rules", ruleBody(valid, { selector }));
    expect(messages.map((m: Json) => m.source.pointer)).toEqual(
      [0, 1, 3].map((i) => `/selector/include/0/host/${i}`),
    );
    expect(messages[0].message).toBe(
      "The provider rejects this: `host` must be a host name; found `*.example.com`: `*` matches no other label; a variable such as `{name}` does in an operation.",
    );
    const patched = await client.ok("PATCH", "/rules/bulk", [{ id: result.id, selector }]);
    expect(patched.messages.map((m: Json) => m.source.pointer)).toEqual(
      [0, 1, 3].map((i) => `/0/selector/include/0/host/${i}`),
    );
  });

  test("are rejected with a pointer in profile provider", async () => {
    const client = clientOf(
      createEdge({ world, profile: "provider", wireNames: "spec" }),
      "/zones/z1/token_validation",
    );
    const config = (await client.ok("POST", "/config", configBody([keys.es256]))).result.id;
    for (const [i, host] of hosts.entries()) {
      const body = ruleBody(`is_jwt_valid("${config}")`, { selector: { include: [{ host: [host] }] } });
      const response = await client("POST", "/rules", body);
      expect([host, response.status]).toEqual([host, i === 2 || i === 4 ? 200 : 400]);
      if (response.status === 400)
        expect(((await response.json()) as Json).errors[0].source.pointer).toBe("/selector/include/0/host/0");
    }
  });

  test("of an operation in a world are rejected in profile provider", () => {
    const invalid = { ...operations[0], host: "https://example.com" };
    const zones = [{ id: "z1", token_validation: { operations: [invalid] } }];
    expect(() => createEdge({ world: { zones } as never, profile: "provider" })).toThrow(
      /must be a host name/,
    );
    createEdge({ world: { zones } as never });
  });

  test("a selector whose lists are null has none", async () => {
    const { client, valid } = await zone();
    const { result, messages } = await client.ok(
      "POST",
      "/rules",
      ruleBody(valid, { selector: { include: null, exclude: null, other: null } }),
    );
    expect(result.selector).toEqual({});
    expect(messages.map((m: Json) => m.source.pointer)).toEqual(["/selector/other"]);
  });
});
