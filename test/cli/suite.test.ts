/** `edgeproof suite generate` and `edgeproof suite mutate`, and requests whose tokens `eval` mints. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { mintKey } from "edgeproof/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";
import { bundleTests, runTests, withSources } from "../support/generated-tests.ts";

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const other = "a6a09b5d-9ee1-4d2a-b2d9-5a4f10b1f2a0";
const { jwk } = await mintKey("ES256", "key-1");
const config = {
  id,
  title: "Users",
  token_sources: ['http.request.headers["authorization"][0]', 'http.request.cookies["session"][0]'],
  credentials: { keys: [jwk] },
};
const rule = {
  id: other,
  title: "Guard",
  action: "block",
  expression: `is_jwt_valid("${id}") or http.request.method eq "GET"`,
  selector: { include: [{ host: ["api.example.com"] }] },
};
const operations = [
  { operation_id: "list", method: "GET", host: "api.example.com", endpoint: "/orders" },
  { operation_id: "add", method: "POST", host: "api.example.com", endpoint: "/orders" },
];
const worldOf = (more: object = {}) => ({
  zones: [
    {
      id: "z1",
      name: "example.com",
      token_validation: { configs: [config], rules: [{ ...rule, ...more }], operations },
    },
  ],
});

let folder: string;
let world: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-suite-"));
  world = await file("world.json", worldOf());
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

async function generated(format: string, name: string): Promise<string> {
  const path = join(folder, name);
  const { code, err } = await edgeproof([
    "suite",
    "generate",
    "--world",
    world,
    "--format",
    format,
    "--out",
    path,
  ]);
  expect([code, err]).toEqual([0, expect.stringContaining("zone z1: ")]);
  return path;
}

describe("generate", () => {
  test("the JSON passes eval on its own world, with minted tokens, and has no key and no token", async () => {
    const suite = await generated("json", "suite.json");
    const text = await readFile(suite, "utf8");
    expect(text).not.toContain(jwk.kty === "EC" ? jwk.x : "");
    expect(text).toContain('"state": "bad_signature"');
    const { code, err } = await edgeproof(["eval", "--world", world, "--requests", suite]);
    expect([code, err]).toEqual([0, ""]);
  });

  test("a changed rule fails eval, and says which decision was expected", async () => {
    const suite = await generated("json", "suite.json");
    const changed = await file("changed.json", worldOf({ action: "log" }));
    const { code, err } = await edgeproof(["eval", "--world", changed, "--requests", suite]);
    expect(code).toBe(1);
    expect(err).toContain("expected block by Guard, got log by Guard, logged by Guard");
  });

  test("the note about the name of a test file for jest", async () => {
    const words = ["suite", "generate", "--world", world, "--format", "jest", "--out"];
    const { code, err } = await edgeproof([...words, join(folder, "r.test.ts")]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^note: the tests for jest .*`\.mjs`; found .*r\.test\.ts$/m),
    ]);
    expect((await edgeproof([...words, join(folder, "r.test.mjs")])).err).not.toContain("note:");
  });

  test("what is unreachable is listed up to a number, and all with --all", async () => {
    const rules = Array.from({ length: 12 }, () => ({
      action: "block",
      enabled: false,
      expression: 'http.request.method eq "GET"',
      selector: { include: [{ host: ["a.example.com"] }] },
    }));
    rules.push({ ...rules[0]!, enabled: true });
    const many = await file("disabled.json", {
      zones: [{ id: "z1", name: "example.com", token_validation: { configs: [], rules } }],
    });
    const words = ["suite", "generate", "--world", many, "--format", "json"];
    const { err } = await edgeproof(words);
    expect(err.match(/^ {2}unreachable: /gm)).toHaveLength(10);
    expect(err).toMatch(/^ {2}and \d+ more: unreachable: --all prints them$/m);
    const all = (await edgeproof([...words, "--all"])).err;
    expect(all.match(/^ {2}unreachable: /gm)?.length).toBeGreaterThan(20);
  });

  test("eval lists the first unexpected verdicts, and all with --all", async () => {
    const requests = Array.from({ length: 13 }, (_, i) => ({
      url: `https://api.example.com/orders?${i}`,
      expect: "log",
    }));
    const path = await file("wrong.json", requests);
    const words = ["eval", "--world", world, "--requests", path];
    const { err } = await edgeproof(words);
    expect(err.match(/^expected log, got /gm)).toHaveLength(10);
    expect(err).toContain("\nand 3 more: unexpected-verdict: --all prints them\n");
    expect((await edgeproof([...words, "--all"])).err.match(/^expected log, got /gm)).toHaveLength(13);
  });

  test("eval ends with the command that writes a generated suite again, which makes it green", async () => {
    const suite = join(folder, "my suite.json");
    const changed = await file("changed.json", worldOf({ action: "log" }));
    const options = ["--operations", "classes", "--zone", "z1", "--now", "2027-01-01T00:00:00Z"];
    const words = ["suite", "generate", "--world", world, "--format", "json", ...options];
    await edgeproof([...words, "--out", suite]);
    const red = ["eval", "--world", changed, "--requests", suite];
    const { code, err } = await edgeproof([...red, "--profile", "spec"]);
    const command = `npx edgeproof suite generate --world ${changed} --zone z1 --operations classes --now 2027-01-01T00:00:00.000Z --profile spec --format json --out '${suite}'`;
    expect(code).toBe(1);
    expect(err.split("\n").slice(-3)).toEqual([
      expect.stringMatching(/^Only when the change of the rules is intended.*--only-changed/),
      `  ${command}`,
      "",
    ]);
    const answers: { readonly help?: string; readonly run?: string }[] = JSON.parse(
      (await edgeproof([...red, "--profile", "spec", "--json"])).out,
    );
    const unexpected = answers.filter(({ run }) => run !== undefined);
    expect(unexpected.length).toBeGreaterThan(0);
    expect(unexpected.length).toBeLessThan(answers.length);
    for (const { help, run } of unexpected)
      expect([help, run]).toEqual([expect.stringMatching(/^Only when the change/), command]);
    const { out } = await edgeproof([...red, "--format", "sarif"]);
    expect(out).toContain("Run: npx edgeproof suite generate");
    const again = command.replaceAll("'", "").split(/ (?!suite\.json)/);
    expect((await edgeproof(again.slice(2))).code).toBe(0);
    expect(await edgeproof(red)).toMatchObject({ code: 0, err: "" });
  });

  test("a suite with requests that were written by hand has no such command, because they would be lost", async () => {
    const requests = JSON.parse(await readFile(await generated("json", "suite.json"), "utf8"));
    const mixed = await file("mixed.json", [...requests, { url: "https://api.example.com/orders" }]);
    const changed = await file("changed.json", worldOf({ action: "log" }));
    const { code, err } = await edgeproof(["eval", "--world", changed, "--requests", mixed]);
    expect([code, err]).toEqual([1, expect.not.stringContaining("suite generate")]);
  });

  test("the same world has the same suite", async () => {
    const [first, second] = [await generated("vitest", "a.test.ts"), await generated("vitest", "a.test.ts")];
    expect(await readFile(first, "utf8")).toBe(await readFile(second, "utf8"));
  });

  test.each(["vitest", "jest", "node"])("the file for %s reads the world file beside it", async (format) => {
    const text = await readFile(await generated(format, `${format}.test.mjs`), "utf8");
    expect(text).toContain('new URL("./world.json", import.meta.url)');
    expect(text).toContain("bad signature token, POST https://api.example.com/orders: ");
    expect(text).not.toContain("eyJhbGciOiJFUzI1NiI");
  });

  test("a missing folder is found before requests are generated, and only for a file that is written", async () => {
    const out = join(folder, "missing", "rules.test.ts");
    const { code, err } = await edgeproof(["suite", "generate", "--world", world, "--out", out]);
    expect([code, err]).toEqual([2, `edgeproof: cannot write ${out}: the folder does not exist\n`]);
    const read = join(folder, "missing", "world.json");
    expect((await edgeproof(["suite", "generate", "--world", read])).err).toContain(
      "the file does not exist",
    );
  });

  test("tests of a world that is not JSON are rejected with the way out", async () => {
    const yaml = await file("world.yaml", JSON.stringify(worldOf()));
    const { code, err } = await edgeproof(["suite", "generate", "--world", yaml]);
    expect(code).toBe(2);
    expect(err).toContain("tests need a world file in JSON");
  });

  test("tests of a file that is not a world file name the command that writes one", async () => {
    const state = "fixtures/own-configuration/state-after-create.json";
    const out = join(folder, "state.test.ts");
    const { code, err } = await edgeproof(["suite", "generate", "--world", state, "--partial", "--out", out]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        `tests need a world file in JSON; found ${state}; write one with \`npx edgeproof world from ${state} --partial --out world.json\`, or use --format json\n`,
      ),
    ]);
    expect(existsSync(out)).toBe(false);
  });

  test("--only-changed keeps the lines of the earlier suite, and both sizes and the time are printed", async () => {
    const earlier = await readFile(await generated("vitest", "a.test.ts"), "utf8");
    const changed = await file("changed.json", worldOf({ expression: `is_jwt_valid("${id}")` }));
    const path = join(folder, "b.test.ts");
    const line = ["suite", "generate", "--world", changed, "--only-changed", world, "--out", path];
    const { code, err } = await edgeproof(line);
    expect([code, err]).toEqual([0, expect.stringMatching(/zone z1: \d+ kept, \d+ left out .* \d+ added/)]);
    expect(err).toMatch(/requests with --operations each, \d+ requests with --operations classes/);
    expect(err).toMatch(/mutants generated in [\d.]+ s of processor time \([\d.]+ ms each\)/);
    const lines = (await readFile(path, "utf8")).split("\n").filter((text) => text.includes('"expected"'));
    const old = new Set(earlier.split("\n"));
    const kept = lines.filter((text) => old.has(text)).length;
    expect(kept).toBe(Number(/(\d+) kept/.exec(err)?.[1]));
    expect(kept).toBeGreaterThan(5);
    expect(lines.length).toBeGreaterThan(kept);
  });

  test("an unknown zone, time and format are rejected", async () => {
    const results = [
      await edgeproof(["suite", "generate", "--world", world, "--zone", "z9"]),
      await edgeproof(["suite", "generate", "--world", world, "--now", "soon"]),
      await edgeproof(["suite", "generate", "--world", world, "--format", "mocha"]),
      await edgeproof(["suite", "generate"]),
    ];
    expect(results.map(({ code, err }) => [code, err])).toMatchSnapshot();
  });
});

describe("mutate", () => {
  test("a generated suite notices every mutant", async () => {
    const suite = await generated("json", "suite.json");
    const { code, out } = await edgeproof(["suite", "mutate", "--world", world, "--requests", suite]);
    expect(out).toContain("0 survived");
    expect(out).toContain("score 100 %");
    expect(code).toBe(0);
  });

  test("survivors are listed with their place and a request that would notice them", async () => {
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const { code, out } = await edgeproof(["suite", "mutate", "--world", world, "--requests", path]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /world\.json:\d+:\d+: survived: rule .*: the action `block` becomes `log`\n {2}a request that would notice it: POST/,
    );
  });

  test("the first survivors of each kind are listed, and all with --all", async () => {
    const rules = Array.from({ length: 14 }, (_, i) => ({
      action: "block",
      title: `Rule ${i}`,
      enabled: true,
      expression: 'http.request.method eq "GET"',
      selector: { include: [{ host: [`h${i}.example.com`] }] },
    }));
    const many = await file("many.json", {
      zones: [{ id: "z1", name: "example.com", token_validation: { configs: [], rules } }],
    });
    const path = await file("one.json", [{ url: "https://example.com/" }]);
    const words = ["suite", "mutate", "--world", many, "--requests", path];
    const { out } = await edgeproof(words);
    const survivorsOf = (text: string) => text.split("\n").filter((line) => / survived: rule /.test(line));
    expect(survivorsOf(out).filter((line) => line.includes("the action"))).toHaveLength(10);
    expect(out).toContain("\nand 4 more: survived action: --all prints them\n");
    const all = (await edgeproof([...words, "--all"])).out;
    expect(survivorsOf(all).filter((line) => line.includes("the action"))).toHaveLength(14);
    expect(all).not.toContain("--all prints them");
  });

  test("long lines are wrapped in a terminal", async () => {
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const words = ["suite", "mutate", "--world", world, "--requests", path];
    const { out } = await edgeproof(words, "", { isTerminal: true, columns: 80 });
    // A word that is longer has a line of its own.
    const long = out.split("\n").filter((line) => line.length > 80 && line.trim().includes(" "));
    expect(long).toEqual([]);
  });

  test("the text has the results by kind, the operations, and what is not mutated", async () => {
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const { out } = await edgeproof(["suite", "mutate", "--world", world, "--requests", path]);
    expect(out).toMatch(/^kind +noticed +survived +equivalent +undecided$/m);
    expect(out).toMatch(/^exclusion +0 +1 +1 +0$/m);
    expect(out).toContain("zone z1: 1 of 2 operations have a request (50 %); none: add");
    expect(out).toMatch(/not mutated: .* key that is nowhere in the zone.*`npx edgeproof diff`/);
  });

  test("without requests, the only error is that of the requests file, and no survivor is printed", async () => {
    const path = await file("nothing.json", []);
    const { code, out, err } = await edgeproof(["suite", "mutate", "--world", world, "--requests", path]);
    expect([code, out]).toEqual([1, ""]);
    expect(err.match(/^\S+: (?:error|warning) .*$/gm)).toEqual([`${path}:1:1: error nothing-evaluated at /`]);
    expect(err).toContain(`Add a request to a zone with rules of ${world} to ${path}.`);
  });

  test("the note about a placeholder is printed once", async () => {
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const { out } = await edgeproof(["suite", "mutate", "--world", world, "--requests", path, "--all"]);
    const notes = out.match(/^ {4}\(\S+ is a placeholder for .*$/gm) ?? [];
    expect(notes.length).toBeGreaterThan(0);
    expect(new Set(notes).size).toBe(notes.length);
  });

  test("equivalent mutants are counted with one of them, and a zone without operations has no share of them", async () => {
    const rule = { expression: 'http.request.uri.path eq "/a"', action: "block" };
    const rulesets = [{ phase: "http_request_firewall_custom", kind: "zone", rules: [rule, rule] }];
    const worldFile = await file("custom.json", {
      profile: "provider",
      zones: [{ id: "z1", name: "a.example", rulesets }],
    });
    const path = await file("custom-requests.json", [{ url: "https://a.example/a" }]);
    const { out, err } = await edgeproof(["suite", "mutate", "--world", worldFile, "--requests", path]);
    expect(out).not.toContain("operations have a request");
    expect(err).toMatch(
      /^z1: left out: \d+ mutants \(equivalent: no request can notice it\), such as .*; --all prints them$/m,
    );
  });

  test("a minimum score below the score is met", async () => {
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const { code } = await edgeproof([
      "suite",
      "mutate",
      "--world",
      world,
      "--requests",
      path,
      "--min-score",
      "5",
    ]);
    expect(code).toBe(0);
  });

  test.each([
    ["without requests", [], "few.json:1:1: error nothing-evaluated"],
    [
      "with requests to other hosts only",
      [{ url: "https://a.test/" }, { url: "https://b.test/" }],
      "zone `z1`",
    ],
  ])("a suite %s is exit code 1, whatever the minimum score", async (_what, requests, message) => {
    const two = await file("two.json", { zones: [...worldOf().zones, { id: "z2", name: "other.example" }] });
    const line = [
      "mutate",
      "--world",
      two,
      "--requests",
      await file("few.json", requests),
      "--min-score",
      "0",
    ];
    const { code, err } = await edgeproof(line);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect((await edgeproof([...line, "--partial"])).code).toBe(1);
  });

  test("a zone without requests is named, and is exit code 1 unless --partial accepts it", async () => {
    const [zone] = worldOf().zones;
    const worldFile = await file("zones.json", {
      zones: [zone, { ...zone, id: "z2", name: "other.example" }],
    });
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const line = ["mutate", "--world", worldFile, "--requests", path, "--min-score", "5"];
    const { code, err } = await edgeproof(line);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        `${path}:1:1: warning undecided at /\n  No request is to zone \`z2\`. Add one to ${path}, or select`,
      ),
    ]);
    expect((await edgeproof([...line, "--partial"])).code).toBe(0);
    expect((await edgeproof([...line, "--zone", "z1"])).code).toBe(0);
  });

  test("a zone without rules is exit code 1, because it has no mutant", async () => {
    const [zone] = worldOf().zones;
    const none = { ...zone, token_validation: { configs: [], rules: [] } };
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const worldFile = await file("none.json", { zones: [none] });
    const { code, err } = await edgeproof(["mutate", "--world", worldFile, "--requests", path]);
    expect([code, err]).toEqual([1, expect.stringContaining("has no rule with a mutant")]);
  });

  test("generation for a world without zones or rules is exit code 1, and writes nothing", async () => {
    const [zone] = worldOf().zones;
    const none = { ...zone, token_validation: { configs: [], rules: [] } };
    for (const [name, zones] of [
      ["no-zones.json", []],
      ["no-rules.json", [none]],
    ] as const) {
      const { code, out, err } = await edgeproof(["generate", "--world", await file(name, { zones })]);
      expect([code, out, err]).toEqual([
        1,
        "",
        expect.stringContaining("has no rules to generate requests for"),
      ]);
    }
  });

  test("an invalid rule and an invalid variant are errors", async () => {
    const [zone] = worldOf().zones;
    const [bad] = worldOf({ expression: "maybe" }).zones;
    const accounts = [{ id: "a1", images: { variants: [{ id: "v" }] } }];
    const zones = [zone, { ...bad, id: "z2", name: "other.example" }];
    const suite = await generated("json", "suite.json");
    const line = ["mutate", "--world", await file("bad.json", { accounts, zones }), "--requests", suite];
    const { code, err } = await edgeproof([...line]);
    expect([code, err]).toEqual([1, expect.stringContaining("The rules of zone `z2` are invalid: ")]);
    expect(err).toContain("invalid-part at /accounts/0/images/variants/0");
    expect((await edgeproof([...line, "--partial", "--zone", "z1"])).code).toBe(1);
  });

  test("JSON and JUnit have every mutant", async () => {
    const path = await file("one.json", [{ url: "https://api.example.com/orders" }]);
    const words = ["suite", "mutate", "--world", world, "--requests", path];
    const [zone] = JSON.parse((await edgeproof([...words, "--json"])).out);
    expect(zone.mutants.map(({ result }: { result: string }) => result)).toContain("survived");
    const { out } = await edgeproof([...words, "--format", "junit"]);
    expect(out).toContain(`tests="${zone.mutants.length}"`);
  });

  test("missing options, an unknown score and an unknown configuration are rejected", async () => {
    const token = await file("token.json", [
      { url: "https://api.example.com/orders", token: { config: "x" } },
    ]);
    const results = [
      await edgeproof(["suite", "mutate", "--world", world]),
      await edgeproof(["suite", "mutate", "--requests", token]),
      await edgeproof(["suite", "mutate", "--world", world, "--requests", token]),
      await edgeproof(["suite", "mutate", "--world", world, "--requests", token, "--min-score", "101"]),
    ];
    expect(results.map(({ code, err }) => [code, err])).toMatchSnapshot();
  });
});

test("eval mints a token for the first source when a request names only its configuration and state", async () => {
  const base = { method: "POST", url: "https://api.example.com/orders", now: "2026-01-01T00:00:00Z" };
  const requests = [
    { ...base, name: "valid", token: { config: id }, expect: "allow" },
    { ...base, name: "expired", token: { config: id, state: "expired" }, expect: "block" },
    { ...base, name: "one second left", token: { config: id, state: "valid_before_exp" }, expect: "allow" },
  ];
  const path = await file("minted.json", requests);
  const { code, out } = await edgeproof(["eval", "--world", world, "--requests", path]);
  expect([code, out]).toEqual([0, expect.stringContaining("expired")]);
});

const execute = promisify(execFile);

test("the vitest form runs, and passes on the world that it was generated from", {
  timeout: 120_000,
}, async () => {
  await file("rules.test.mjs", await withSources(await generated("vitest", "generated.mjs")));
  await file("vitest.config.mjs", "export default {};");
  const vitest = resolve("node_modules/vitest/vitest.mjs");
  const { stdout } = await execute(process.execPath, [vitest, "run", "--root", folder, "rules.test.mjs"], {
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(stdout).toMatch(/Tests.* [1-9]\d* passed/);
  expect(stdout).not.toContain("failed");
});

/** The part of jest that generated tests use; jest itself is not installed. */
const jestShim = `
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
const expect = (found) => ({ toEqual: (expected) => assert.deepEqual(found, expected) });
export { after as afterAll, describe, expect, test };
`;

/** Runs a generated test file as a module for node, and returns what `node --test` prints. */
async function runOnNode(format: "node" | "jest", worldPath = world): Promise<string> {
  const path = join(folder, `generated-${format}.mjs`);
  const written = await edgeproof(["suite", "generate", "--world", world, "--format", format, "--out", path]);
  expect(written.code).toBe(0);
  const worldName = JSON.stringify(`./${basename(worldPath)}`);
  const alias = { "@jest/globals": await file("jest-shim.mjs", jestShim) };
  return runTests(await bundleTests(path, (text) => text.replaceAll('"./world.json"', worldName), alias));
}

describe.each(["node", "jest"] as const)("the form for %s, run by node --test", (format) => {
  test("passes on the world that it was generated from", { timeout: 120_000 }, async () => {
    const printed = await runOnNode(format);
    expect(printed).toMatch(/fail 0/);
    expect(Number(/pass (\d+)/.exec(printed)?.[1])).toBeGreaterThan(5);
    expect(printed).toContain("bad signature token, POST https:");
    expect(printed).not.toContain("Only when");
  });

  test("fails on a changed world", { timeout: 120_000 }, async () => {
    const printed = await runOnNode(format, await file("logs.json", worldOf({ action: "log" })));
    expect(Number(/fail (\d+)/.exec(printed)?.[1])).toBeGreaterThan(1);
    expect(printed).toMatch(/pass [1-9]/);
    expect(printed.match(/Only when the change of the rules is intended/g)).toHaveLength(1);
    expect(printed).toMatch(
      /edgeproof suite generate --world \S+world\.json --now .* --format (?:node|jest) --out/,
    );
  });
});
