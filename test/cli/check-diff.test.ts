/** `edgeproof check` and `edgeproof diff` in this process: text, JSON, SARIF, exit codes, and invalid input. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256");
const config = {
  id,
  token_sources: ['http.request.headers["authorization"][0]'],
  credentials: { keys: [jwk] },
};
const valid = `is_jwt_valid("${id}")`;

function worldOf(expression: string, more: object = {}) {
  const selector = { include: [{ host: ["api.example.com"] }] };
  const rules = [{ action: "block", expression, selector, ...more }];
  return { zones: [{ id: "z1", token_validation: { configs: [config], rules } }] };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

describe("check", () => {
  test("a count of one is singular", async () => {
    const { out } = await edgeproof(["check", await file("one.json", worldOf("maybe"))]);
    expect(out).toContain("1 configuration, 1 rule: 1 error, 0 warnings, 0 notes\n");
  });

  test("check exits with 0 for a world without errors and warnings", async () => {
    const { code, out } = await edgeproof(["check", await file("good.json", worldOf(valid))]);
    expect([code, out]).toEqual([0, "1 configuration, 1 rule: 0 errors, 0 warnings, 0 notes\n"]);
  });

  test("check exits with 1 for a warning, and prints its line, check, pointer and fix", async () => {
    const path = await file("true.json", worldOf(`${valid} or not ${valid}`));
    const { code, out } = await edgeproof(["check", path]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /true\.json:\d+:\d+: warning always-true at \/zones\/0\/token_validation\/rules\/0\/expression \[\w{16}:1\]\n/,
    );
    expect(out).toContain("  fix: ");
  });

  test("check exits with 0 when all findings are notes", async () => {
    const { code, out } = await edgeproof([
      "check",
      await file("off.json", worldOf(valid, { enabled: false })),
    ]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/note disabled.*\n[\s\S]*0 errors, 0 warnings, 2 notes/),
    ]);
  });

  test("check reports the position of invalid input that eval rejects", async () => {
    const { code, out } = await edgeproof(["check", await file("bad.json", worldOf('is_jwt_valid("x")'))]);
    expect([code, out]).toEqual([1, expect.stringContaining("error unknown-config at /zones/0")]);
  });

  test("check prints its findings as JSON and as SARIF", async () => {
    const path = await file("true.json", worldOf(`${valid} or not ${valid}`));
    const json = JSON.parse((await edgeproof(["check", path, "--json"])).out);
    const subject = { zone: "z1", rule: "rule 1" };
    expect(json.diagnostics).toMatchObject([{ rule: "always-true", level: "warning", subject }]);
    expect(json.diagnostics[0].start.line).toBeGreaterThan(1);
    const sarif = JSON.parse((await edgeproof(["check", path, "--format", "sarif"])).out);
    const [{ tool, results }] = sarif.runs;
    expect(tool.driver.rules[results[0].ruleIndex].id).toBe("always-true");
    expect(results[0]).toMatchObject({ ruleId: "always-true", level: "warning" });
  });

  test("the profile determines the precedence of rules", async () => {
    const world = worldOf(valid);
    world.zones[0]!.token_validation.rules.push({
      ...world.zones[0]!.token_validation.rules[0]!,
      expression: 'http.request.method eq "GET"',
    });
    const path = await file("two.json", world);
    expect((await edgeproof(["check", path])).code).toBe(0);
    expect((await edgeproof(["check", path, "--profile", "provider"])).out).toContain("warning shadowed");
  });

  test.each([
    ["no file", [], /`file` is missing/],
    ["an unknown area", ["x.json", "--only", "rules"], /--only must be `tokens`, .*; found `rules`/],
    ["keys without an issuer", ["x.json", "--only", "keys"], /--only keys needs --issuer or --jwks/],
    ["a file that is not there", ["/nowhere/world.json"], /cannot read/],
    ["an unknown format", ["x.json", "--format", "xml"], /--format must be .*; found `xml`/],
  ])("%s: exit code 2", async (_name, words, message) => {
    const { code, err } = await edgeproof(["check", ...words]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("check exits with 2 for a file that is not a world, and for an unknown zone", async () => {
    const shape = await edgeproof(["check", await file("shape.json", { zone: [] })]);
    expect([shape.code, shape.err]).toEqual([2, expect.stringMatching(/not a valid world file:\n/)]);
    const zone = await edgeproof(["check", await file("good.json", worldOf(valid)), "--zone", "z9"]);
    expect([zone.code, zone.err]).toEqual([2, expect.stringMatching(/no zone `z9`.*`z1`/)]);
  });
});

describe("diff", () => {
  test("diff exits with 0 for equivalent expressions", async () => {
    const [old, changed] = [
      await file("old.json", worldOf(valid)),
      await file("new.json", worldOf(`not not ${valid}`)),
    ];
    const { code, out } = await edgeproof(["diff", old, changed]);
    expect([code, out]).toEqual([0, "zone z1: equivalent for every request\n"]);
  });

  test("diff exits with 1 for a difference, and prints a request and both actions", async () => {
    const old = await file("old.json", worldOf(valid));
    const changed = await file("new.json", worldOf(`is_jwt_present("${id}")`));
    const { code, out } = await edgeproof(["diff", old, changed]);
    expect(code).toBe(1);
    expect(out).toContain("  GET https://api.example.com/\n  authorization: x\n");
    expect(out).toContain(
      `    old: block, by \`rule 1\`, token of \`${id}\` invalid\n    new: allow, token of \`${id}\` invalid\n`,
    );
    const json = JSON.parse((await edgeproof(["diff", old, changed, "--json"])).out);
    expect(json).toMatchObject([
      { zone: "z1", result: "different", differences: [{ left: { action: "block" } }] },
    ]);
  });

  test("diff shows a token that the new zone rejects after a key rotation", async () => {
    const other = (await mintKey("ES256", "new")).jwk;
    const rotated = worldOf(valid);
    rotated.zones[0]!.token_validation.configs[0] = { ...config, credentials: { keys: [other] } };
    const { out } = await edgeproof([
      "diff",
      await file("old.json", worldOf(valid)),
      await file("new.json", rotated),
    ]);
    expect(out).toMatch(/is a placeholder for a valid token: kid (es256|new), alg ES256/);
  });

  test("diff compares a zone that one world lacks with a zone without rules", async () => {
    const [old, none] = [await file("old.json", worldOf(valid)), await file("none.json", {})];
    expect((await edgeproof(["diff", old, none])).out).toMatch(/old: block[\s\S]*new: allow/);
  });

  test("diff of worlds without rules is exit code 1, which --allow-empty accepts", async () => {
    const none = await file("none.json", {});
    const { code, out, err } = await edgeproof(["diff", none, none]);
    expect([code, out]).toEqual([1, "no zone has rules\n"]);
    expect(err).toContain("have no rule to compare");
    expect((await edgeproof(["diff", none, none, "--allow-empty"])).code).toBe(0);
  });

  test("a zone that only one world has is a difference, though its rules allow every request", async () => {
    const [old, none] = [
      await file("old.json", worldOf(valid, { enabled: false })),
      await file("none.json", {}),
    ];
    const { code, out } = await edgeproof(["diff", old, none]);
    expect([code, out]).toEqual([1, expect.stringContaining("zone z1: only in ")]);
  });

  test("an invalid rule fails the comparison of its zone, and others are compared", async () => {
    const zonesOf = (expression: string) => {
      const [zone] = worldOf(valid).zones;
      const [other] = worldOf(expression).zones;
      return { zones: [zone, { ...other, id: "z2", name: "other.example" }] };
    };
    const [old, bad] = [await file("old.json", zonesOf(valid)), await file("bad.json", zonesOf("maybe"))];
    const { code, out, err } = await edgeproof(["diff", old, bad]);
    expect([code, out]).toEqual([1, expect.stringMatching(/zone z1: equivalent[\s\S]*zone z2: undecided/)]);
    expect(err).toMatch(/The rules of zone `z2` are invalid: \S+:\d+:\d+: \/zones\/1\//);
    expect((await edgeproof(["diff", old, bad, "--partial"])).code).toBe(1);
    expect((await edgeproof(["diff", old, bad, "--zone", "z1"])).code).toBe(0);
  });

  test("an invalid variant does not block the comparison, and is an error", async () => {
    const accounts = [{ id: "a1", images: { variants: [{ id: "v", options: { fit: "stretch" } }] } }];
    const old = await file("old.json", { ...worldOf(valid), accounts });
    const { code, err } = await edgeproof(["diff", old, old]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("invalid-part at /accounts/0/images/variants/0"),
    ]);
  });

  test("diff exits with 2 for input that cannot be used, and with 1 for invalid rules", async () => {
    const old = await file("old.json", worldOf(valid));
    const bad = await file("bad.json", worldOf("maybe"));
    expect(await edgeproof(["diff", old])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/expected 2 world files; found /),
    });
    expect(await edgeproof(["diff", old, bad])).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /bad\.json is not a valid world file:\n {2}.*bad\.json:\d+:\d+: \/zones\/0\/token_validation\/rules\/0\/expression: /,
      ),
    });
    expect(await edgeproof(["diff", old, old, "--zone", "z9"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/`z9`.*`z1`/),
    });
  });
});
