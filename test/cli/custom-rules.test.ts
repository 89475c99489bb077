/** Custom rules in `check` and `eval`: what is found, where, and that an unknown value is never a green result. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { describe, expect, test } from "vitest";
import { reportOutput } from "../../src/cli/output/schemas/report.ts";
import { evalOutput } from "../../src/cli/output/schemas/rules.ts";
import { temporaryFolder } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";

const folder = await temporaryFolder();
const { jwk } = await mintKey("ES256");
const phase = "http_request_firewall_custom";
const idp = "51231d16-01f1-48e3-93f8-91c99e81288e";
const configs = [
  {
    id: idp,
    title: "idp",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [jwk] },
  },
];
const role = `lookup_json_string(http.request.jwt.claims["${idp}"][0], "role")`;

let files = 0;
async function file(content: unknown): Promise<string> {
  const path = join(folder, `${files++}.json`);
  await writeFile(path, JSON.stringify(content, null, 2));
  return path;
}

const block = (id: string, expression: string, more: object = {}) => ({
  id,
  action: "block",
  expression,
  ...more,
});

interface Parts {
  readonly rules?: readonly object[];
  readonly rulesets?: readonly object[];
  readonly accountRules?: readonly object[];
  readonly lists?: readonly object[];
  readonly zones?: readonly object[];
}

const worldOf = ({ rules = [], rulesets = [], accountRules, lists, zones = [] }: Parts) => ({
  accounts: [
    {
      id: "a1",
      ...(lists && { lists }),
      ...(accountRules && { rulesets: [{ id: "root", kind: "root", phase, rules: accountRules }] }),
    },
  ],
  zones: [
    {
      id: "z1",
      name: "example.com",
      account_id: "a1",
      token_validation: { configs },
      rulesets: [{ id: "entry", kind: "zone", phase, rules }, ...rulesets],
    },
    ...zones,
  ],
});

async function checked(world: unknown, ...words: string[]) {
  const { code, out } = await edgeproof(["check", await file(world), "--json", ...words]);
  const { cases, diagnostics } = reportOutput.parse(JSON.parse(out));
  return { code, cases, diagnostics, found: diagnostics.map(({ rule, pointer }) => `${rule} ${pointer}`) };
}

describe("check", () => {
  test("a rule that lets requests without a token pass is found, with its place and the fix", async () => {
    const before = `http.request.method eq "DELETE" and ${role} ne "admin"`;
    const rules = [block("r1", before, { description: "admins" })];
    const { code, cases, diagnostics } = await checked(worldOf({ rules }));
    const admins = cases.find(({ name }) => name === "custom rule admins (r1)");
    expect([code, admins?.group, admins?.status]).toEqual([1, "z1", "failed"]);
    const [found] = diagnostics;
    expect(found).toMatchObject({
      rule: "fail-open",
      pointer: "/zones/0/rulesets/0/rules/0/expression",
      subject: { zone: "z1", ruleset: "entry", rule: "r1" },
    });
    expect(found?.start).not.toEqual(found?.end);
    expect(JSON.parse(found?.edits?.[0]?.text ?? "null")).toBe(
      `http.request.method eq "DELETE" and not (${role} eq "admin")`,
    );
  });

  test("with the fix it is green, and says how many rules were looked at", async () => {
    const world = worldOf({ rules: [block("r1", `not (${role} eq "admin")`)] });
    const { code, out: stdout } = await edgeproof(["check", await file(world)]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "1 configuration, 1 rule: 0 errors, 0 warnings, 0 notes\n",
    });
  });

  test("an error in an expression has its place, and the other rules are checked", async () => {
    const { code, found } = await checked(
      worldOf({ rules: [block("r1", 'ip.src contains "1"'), block("r2", `${role} ne "admin"`)] }),
    );
    expect(code).toBe(1);
    expect(found).toContain("invalid /zones/0/rulesets/0/rules/0/expression");
    expect(found).toContain("fail-open /zones/0/rulesets/0/rules/1/expression");
  });

  test("a mismatch with the schema is found once", async () => {
    const { code, found } = await checked(worldOf({ rules: [block("r1", "ssl", { enabled: "yes" })] }));
    expect(code).toBe(1);
    expect(found).toEqual([
      "unused-config /zones/0/token_validation/configs/0",
      "invalid /zones/0/rulesets/0/rules/0/enabled",
    ]);
  });

  test("the rules of an account are reported once, with what is found in any of its zones", async () => {
    const zones = [{ id: "z2", name: "example.org", account_id: "a1", rulesets: [] }];
    const world = worldOf({
      zones,
      accountRules: [block("a", `${role} ne "admin"`), block("b", "ip.src in $offic")],
      lists: [{ name: "office", kind: "ip", items: ["192.0.2.0/24"] }],
    });
    const { cases, found } = await checked(world);
    const own = cases.filter(({ group }) => group === "a1");
    expect(own.map(({ name, status }) => [name, status])).toEqual([
      ["custom rule a", "failed"],
      ["custom rule b", "passed"],
    ]);
    expect(found).toEqual([
      "fail-open /accounts/0/rulesets/0/rules/0/expression",
      "unknown-list /accounts/0/rulesets/0/rules/1/expression",
    ]);
  });

  test("the rules of an account without a zone are checked", async () => {
    const { accounts } = worldOf({
      accountRules: [block("a", "ssl and not ssl"), block("b", `${role} eq "x"`)],
    });
    const { code, found } = await checked({ accounts });
    expect({ code, found }).toEqual({
      code: 1,
      found: ["never-matches /accounts/0/rulesets/0/rules/0/expression"],
    });
  });

  test("a wrong list is found at its place", async () => {
    const lists = [{ name: "office", kind: "ip", items: ["192.0.2.0/33"] }];
    const { code, found } = await checked(worldOf({ rules: [block("r", "ip.src in $office")], lists }));
    expect(code).toBe(1);
    expect(found).toContain("invalid /accounts/0/lists/0/items/0");
  });

  test("rules of another phase are left out, and alone they are no success", async () => {
    const rulesets = [{ id: "rl", kind: "zone", phase: "http_ratelimit", rules: [block("x", "true")] }];
    const zones = [{ id: "z1", name: "example.com", account_id: "a1", rulesets }];
    const { code, cases } = await checked({ accounts: [{ id: "a1" }], zones });
    expect(code).toBe(1);
    expect(cases.find(({ status }) => status === "skipped")?.name).toBe("ruleset rl");
  });

  test("a wrong expression of another phase is found at its place", async () => {
    const target_url = { expression: 'concat("https://a.example", http.request.uri.pth)' };
    const redirect = block("x", "ssl", {
      action: "redirect",
      action_parameters: { from_value: { target_url } },
    });
    const other = { id: "rd", kind: "zone", phase: "http_request_dynamic_redirect", rules: [redirect] };
    const { code, found } = await checked(worldOf({ rules: [block("r", "ssl")], rulesets: [other] }));
    expect(code).toBe(1);
    expect(found).toContain(
      "invalid /zones/0/rulesets/1/rules/0/action_parameters/from_value/target_url/expression",
    );
  });

  test("a rule that an import could not read is undecided", async () => {
    const world = worldOf({
      rules: [block("r", "true", { undecided: "its expression is known after apply" })],
    });
    const { code, cases } = await checked(world);
    expect(code).toBe(1);
    expect(cases.find(({ name }) => name === "custom rule r")?.status).toBe("undecided");
  });

  test("without the area of tokens they are counted as left out", async () => {
    const world = worldOf({ rules: [block("r", "ssl")] });
    const { out: stdout } = await edgeproof(["check", await file(world), "--only", "proxy", "--allow-empty"]);
    expect(stdout).toContain("1 ruleset; --only does not name `tokens`");
  });
});

describe("check --openapi", () => {
  const document = {
    openapi: "3.0.3",
    info: { title: "t", version: "1" },
    servers: [{ url: "https://example.com" }],
    paths: { "/x": { get: { operationId: "x", responses: {} } } },
  };

  const words = async (text: object) => ["--only", "openapi", "--openapi", await file(text)];
  const secured = {
    ...document,
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  };
  const statusOf = (cases: readonly { kind: string; status: string }[]) =>
    cases.find(({ kind }) => kind === "operation")?.status;

  test("a custom rule that requires a claim protects an operation, and one with `ne` does not", async () => {
    const green = await checked(
      worldOf({ rules: [block("r", `not ${role} eq "admin"`)] }),
      ...(await words(secured)),
    );
    expect([green.code, statusOf(green.cases)]).toEqual([0, "passed"]);
    const rules = [block("r", `${role} ne "admin"`), block("ip", "not ip.src in {10.0.0.0/8}")];
    const red = await checked(worldOf({ rules }), ...(await words(secured)));
    expect([red.code, red.found]).toEqual([1, ["unprotected /paths/~1x/get"]]);
    expect(red.diagnostics[0]?.details).toMatch(/^ip: "10\./m);
  });

  test("rules that depend on a list that is not given are undecided", async () => {
    const world = worldOf({ rules: [block("r", "not ip.src in $office")] });
    const { code, cases, diagnostics } = await checked(world, ...(await words(secured)));
    expect([code, statusOf(cases)]).toEqual([1, "undecided"]);
    expect(diagnostics[0]?.message).toContain("$office");
    expect((await checked(world, ...(await words(document)))).code).toBe(0);
  });
});

const evaluate = async (world: unknown, requests: unknown, ...words: string[]) =>
  edgeproof(["eval", "--world", await file(world), "--requests", await file(requests), ...words]);

describe("eval", () => {
  const rules = [block("office", "not ip.src in $office"), block("country", 'ip.src.country eq "XX"')];
  const lists = [{ name: "office", kind: "ip", items: ["192.0.2.0/24"] }];
  const world = worldOf({ rules, lists });
  const url = "https://example.com/";

  test("a verdict that depends on an unknown value is undecided, and names the line to add", async () => {
    const { code, out: stdout, err: stderr } = await evaluate(world, { url });
    expect(code).toBe(1);
    expect(stdout).toContain("undecided");
    expect(stderr).toContain(
      'the custom rules need `ip` of the request, `fields: { "ip.src.country": ... }` of the request.',
    );
  });

  test("with the values it is decided by the custom rule", async () => {
    const given = { url, ip: "192.0.2.1", fields: { "ip.src.country": "XX" } };
    const { code, out: stdout } = await evaluate(world, { ...given, expect: "block" }, "--json");
    expect(code).toBe(0);
    const [answer] = evalOutput.parse(JSON.parse(stdout));
    expect(answer?.verdict).toMatchObject({ action: "block", custom: { rule: { rule: "country" } } });
  });

  test("a value that decides alone is enough", async () => {
    const requests = [{ url, ip: "198.51.100.1", expect: { action: "block", rule: "office" } }];
    expect((await evaluate(world, requests)).code).toBe(0);
  });

  test.each(["allow", "block", "log", "challenge"])(
    "an undecided verdict is never the expected %s",
    async (action) => {
      for (const words of [[], ["--partial"]]) {
        const { code, err: stderr } = await evaluate(world, { url }, "--expect", action, ...words);
        expect(code).toBe(1);
        expect(stderr).toContain("`ip` of the request");
      }
    },
  );

  test("an undecided verdict that is accepted is no evaluated request", async () => {
    expect((await evaluate(world, { url }, "--partial")).code).toBe(1);
    expect((await evaluate(world, [{ url }, { url, ip: "198.51.100.1" }], "--partial")).code).toBe(0);
  });

  test("JSON has the undecided verdict with what it needs", async () => {
    const { code, out: stdout } = await evaluate(world, { url }, "--json");
    expect(code).toBe(1);
    const [answer] = evalOutput.parse(JSON.parse(stdout));
    expect(answer?.verdict).toMatchObject({
      action: "undecided",
      custom: { needs: ["ip.src", "ip.src.country"] },
    });
    expect(answer?.undecided?.[0]).toContain("`ip` of the request");
  });

  test("a challenge, and a client that has passed it", async () => {
    const challenge = worldOf({ rules: [block("c", "true", { action: "managed_challenge" })] });
    const requests = [
      { url, expect: "challenge" },
      { url, challengePassed: true, expect: { action: "allow" } },
    ];
    expect((await evaluate(challenge, requests)).code).toBe(0);
  });

  test("members of a request that custom rules read are checked", async () => {
    const { code, err: stderr } = await evaluate(world, [{ url, ip: "nowhere" }]);
    expect(code).toBe(2);
    expect(stderr).toContain("/0/ip");
    expect((await evaluate(world, [{ url, fields: { "ip.src.contry": "FR" } }])).err).toContain(
      "`ip.src.contry` is an unknown field; did you mean `ip.src.country`?",
    );
  });
});

describe("replay", () => {
  const recorded = (more: object) =>
    JSON.stringify({
      ClientRequestMethod: "GET",
      ClientRequestHost: "example.com",
      ClientRequestURI: "/",
      ClientRequestScheme: "https",
      ...more,
    });

  test("a verdict that needs a value which the recording lacks is undecided, and named", async () => {
    const world = await file(worldOf({ rules: [block("office", "ip.src eq 192.0.2.1")] }));
    const words = ["replay", "--world", world, "--against", world, "--input", "logpush"];
    const known = await edgeproof([...words, "-"], recorded({ ClientIP: "192.0.2.1" }));
    expect(known.code).toBe(0);
    const lines = [recorded({ ClientIP: "192.0.2.1" }), recorded({})].join("\n");
    const { code, err } = await edgeproof([...words, "-"], lines);
    expect(code).toBe(1);
    expect(err).toContain("custom rules need values that the recording does not have: `ip.src` (1).");
  });
});
