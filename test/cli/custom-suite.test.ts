/** Suites of worlds with custom rules on the command line: generated, evaluated, and measured with mutants. */
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mintKey } from "edgeproof/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";
import { bundleTests, runTests } from "../support/generated-tests.ts";

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256", "key-1");
const role = `lookup_json_string(http.request.jwt.claims["${id}"][0], "role")`;
const rules = [
  { id: "office", action: "log", expression: "ip.src in {10.0.0.0/8}" },
  { id: "admins", action: "block", expression: `http.request.method eq "DELETE" and not ${role} eq "admin"` },
];
const worldOf = (custom: readonly object[]) => ({
  zones: [
    {
      id: "z1",
      name: "example.com",
      rulesets: [{ id: "r1", kind: "zone", phase: "http_request_firewall_custom", rules: custom }],
      token_validation: {
        configs: [
          {
            id,
            token_sources: ['http.request.headers["authorization"][0]'],
            credentials: { keys: [jwk] },
          },
        ],
        rules: [],
      },
    },
  ],
});

let folder: string;
let world: string;
let suite: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-custom-suite-"));
  world = join(folder, "world.json");
  suite = join(folder, "suite.json");
  await writeFile(world, JSON.stringify(worldOf(rules), null, 2));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a generated suite states what rules read, is green, and notices every mutant", async () => {
  const generated = await edgeproof([
    "suite",
    "generate",
    "--world",
    world,
    "--format",
    "json",
    "--out",
    suite,
  ]);
  expect([generated.code, generated.err]).toEqual([0, expect.stringContaining("0 undecided")]);
  const requests = JSON.parse(await readFile(suite, "utf8"));
  expect(requests.every(({ ip }: { ip?: string }) => ip !== undefined)).toBe(true);
  expect(JSON.stringify(requests)).toContain('"claims":{"role":"admin"}');
  const evaluated = await edgeproof(["eval", "--world", world, "--requests", suite]);
  expect([evaluated.code, evaluated.err]).toEqual([0, ""]);
  const mutated = await edgeproof(["suite", "mutate", "--world", world, "--requests", suite]);
  expect(mutated.out).toContain("0 survived");
  expect([mutated.code, mutated.out]).toEqual([0, expect.stringContaining("score 100 %")]);
});

test("a survivor is at its place in the world, with a request that has the claims", async () => {
  const first = join(folder, "first.json");
  await writeFile(first, JSON.stringify([{ url: "https://api.example.com/", ip: "192.0.2.1" }]));
  const { code, out } = await edgeproof(["suite", "mutate", "--world", world, "--requests", first]);
  expect(code).toBe(1);
  const lines = out.split("\n");
  const at = lines.findIndex((line) => line.includes("custom rule `admins`: the action"));
  expect(lines[at]).toMatch(/world\.json:\d+:\d+: survived: /);
  expect(lines.slice(at, at + 8).join("\n")).toContain("ip: ");
});

test("a changed claim makes the suite red, and the difference of both worlds has the claim", async () => {
  const changed = join(folder, "changed.json");
  const others = rules.map((rule) => ({ ...rule, expression: rule.expression.replace('"admin"', '"root"') }));
  await writeFile(changed, JSON.stringify(worldOf(others)));
  const evaluated = await edgeproof(["eval", "--world", changed, "--requests", suite]);
  expect(evaluated.code).toBe(1);
  const { code, out } = await edgeproof(["diff", world, changed]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /is a placeholder for a valid token: kid key-1, alg ES256, claims \{"role":"(?:admin|root)"\}/,
  );
});

/** The generated file for node:test on a world, as a suite for `node --test`; the world is read when it runs. */
async function testFile(name: string, content: object): Promise<string> {
  const [path, worldFile] = [join(folder, `${name}.mjs`), join(folder, `${name}.json`)];
  await writeFile(worldFile, JSON.stringify(content));
  const line = ["suite", "generate", "--world", worldFile, "--format", "node", "--out", path];
  const { code, err } = await edgeproof(line);
  expect([code, err]).toEqual([0, expect.stringContaining("0 undecided")]);
  return bundleTests(path);
}

test("tests in a file of their own have custom rules of zone and account, also without ids", {
  timeout: 120_000,
}, async () => {
  const custom = [
    { action: "execute", action_parameters: { id: "inner" }, expression: "ip.src in $office" },
    { ref: "admins", action: "block", expression: rules[1]?.expression, version: "3" },
  ];
  const inner = { action: "block", expression: 'http.user_agent eq "x"' };
  const [zone] = worldOf(custom).zones;
  const phase = "http_request_firewall_custom";
  const withAccount = (item: string) => ({
    accounts: [
      {
        id: "a1",
        lists: [{ name: "office", kind: "ip", items: [item] }],
        rulesets: [
          { kind: "root", phase, rules: [{ action: "managed_challenge", expression: "cf.waf.score lt 20" }] },
        ],
      },
    ],
    zones: [
      {
        ...zone,
        rulesets: [
          { kind: "zone", phase, rules: custom },
          { id: "inner", kind: "custom", phase, rules: [inner] },
        ],
      },
      { id: "z2", name: "example.org", rulesets: [{ kind: "zone", phase, rules: [inner] }] },
    ],
  });
  const path = await testFile("own", withAccount("10.0.0.0/8"));
  const green = await runTests(path);
  expect(green).toMatch(/fail 0/);
  expect(Number(/pass (\d+)/.exec(green)?.[1])).toBeGreaterThan(8);
  expect(green).toContain("zone example.org");
  await writeFile(join(folder, "own.json"), JSON.stringify(withAccount("192.0.2.0/24")));
  expect(Number(/fail (\d+)/.exec(await runTests(path))?.[1])).toBeGreaterThan(0);
});

test("worlds with custom rules alone are compared, and the same ones are green", async () => {
  const paths = await Promise.all(
    ["log", "block"].map(async (action) => {
      const [zone] = worldOf([{ ...rules[0], action }]).zones;
      const path = join(folder, `${action}.json`);
      await writeFile(path, JSON.stringify({ zones: [{ ...zone, token_validation: undefined }] }));
      return path;
    }),
  );
  const [first = "", other = ""] = paths;
  const same = await edgeproof(["diff", first, first]);
  expect([same.code, same.out, same.err]).toEqual([0, "zone z1: equivalent for every request\n", ""]);
  const different = await edgeproof(["diff", first, other]);
  expect([different.code, different.err]).toEqual([1, ""]);
  expect(different.out).not.toContain("nothing-evaluated");
});

const managed = { action_parameters: { phases: ["http_request_firewall_managed"] } };
const skipFor = (expression: string) => worldOf([{ id: "open", action: "skip", expression, ...managed }]);

test("diff shows a skip that is opened to every client, and compares actions alone with --effect action", async () => {
  const [before, after] = [join(folder, "before.json"), join(folder, "after.json")];
  await writeFile(before, JSON.stringify(skipFor("ip.src eq 192.0.2.1")));
  await writeFile(after, JSON.stringify(skipFor("true")));
  const shown = await edgeproof(["diff", before, after]);
  expect(shown.code).toBe(1);
  expect(shown.out).toMatch(/old: allow\n {4}new: allow, skips phases http_request_firewall_managed\n/);
  const json = JSON.parse((await edgeproof(["diff", before, after, "--json"])).out);
  expect(json[0].differences[0].right.custom).toEqual({
    skipped: { phases: ["http_request_firewall_managed"] },
  });
  const report = await edgeproof(["diff", before, after, "--format", "sarif"]);
  expect(report.out).toContain('"different-effect"');
  expect(report.out).toContain("A request has another effect in the new world; the action of both is allow.");
  const actions = await edgeproof(["diff", before, after, "--effect", "action"]);
  expect([actions.code, actions.out]).toEqual([0, "zone z1: equivalent for every request\n"]);
  const decisions = await edgeproof(["diff", before, after, "--effect", "decision"]);
  expect(decisions.code).toBe(1);
});

test("an expected decision asks for the effect that it states, and for none that it does not", async () => {
  const path = join(folder, "skip.json");
  await writeFile(path, JSON.stringify(skipFor("true")));
  const evaluate = async (custom: object | undefined) => {
    const request = join(folder, "expected.json");
    const expect = { action: "allow", logged: [], ...(custom && { custom }) };
    await writeFile(request, JSON.stringify([{ url: "https://api.example.com/", ip: "192.0.2.1", expect }]));
    return await edgeproof(["eval", "--world", path, "--requests", request, "--format", "junit"]);
  };
  expect((await evaluate(undefined)).code).toBe(0);
  expect((await evaluate({ skipped: managed.action_parameters })).code).toBe(0);
  const none = await evaluate({});
  expect(none.code).toBe(1);
  expect(none.out).toContain("expected allow, got allow, skips phases http_request_firewall_managed");
  expect((await evaluate({ skips: [] })).code).toBe(2);
});
