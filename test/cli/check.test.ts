/** `edgeproof check` of files of every kind: areas, what is left out, and invalid parts that do not hide others. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { describe, expect, test } from "vitest";
import { reportOutput } from "../../src/cli/output/schemas/report.ts";
import { temporaryFolder } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";

const folder = await temporaryFolder();
const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256");
const valid = `is_jwt_valid("${id}")`;
const token_sources = ['http.request.headers["authorization"][0]'];
const config = { id, title: "issuer", token_sources, credentials: { keys: [jwk] } };
const selector = { include: [{ host: ["api.example.com"] }] };

let files = 0;
async function file(content: unknown): Promise<string> {
  const path = join(folder, `${files++}.json`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

const rule = (expression: string, title: string) => ({ title, action: "block", expression, selector });
const constant = rule(`${valid} or not ${valid}`, "constant");
const app = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};
const query = { tag: "ours", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] };
const variant = { id: "hero", options: { fit: "cover", width: 10, height: 10, metadata: "none" } };

interface Parts {
  readonly rules?: readonly unknown[];
  readonly configs?: readonly unknown[];
  readonly applications?: readonly unknown[];
  readonly queries?: readonly unknown[];
  readonly variants?: readonly unknown[];
}

/** A world with one thing of each area, unless other ones are given. */
function worldOf({
  rules = [rule(valid, "enforce")],
  configs = [config],
  applications = [app],
  queries = [query],
  variants = [variant],
}: Parts = {}) {
  return {
    accounts: [{ id: "a1", brand: { queries }, images: { variants } }],
    zones: [
      {
        id: "z1",
        name: "example.com",
        account_id: "a1",
        token_validation: { configs, rules },
        proxy: { applications },
      },
    ],
  };
}

async function check(content: unknown, ...words: string[]) {
  const { code, out } = await edgeproof(["check", await file(content), ...words, "--json"]);
  const { cases, diagnostics, evaluated } = reportOutput.parse(JSON.parse(out));
  const rules = diagnostics.map((diagnostic) => diagnostic.rule);
  return { code, cases, diagnostics, evaluated, rules, found: [...new Set(rules)].sort() };
}

const invalidConfig = { ...config, credentials: { keys: [{ kty: "EC", kid: "x", alg: "ES256" }] } };

describe("areas", () => {
  test("everything in a world is checked, each thing as a case", async () => {
    const { code, evaluated, rules } = await check(worldOf());
    expect([code, rules]).toEqual([0, []]);
    expect(evaluated).toEqual({ configuration: 1, rule: 1, application: 1, pattern: 1, variant: 1 });
  });

  test.each([
    ["tokens", { rule: 1, configuration: 1 }],
    ["proxy", { application: 1 }],
    ["brand", { pattern: 1 }],
    ["images", { variant: 1 }],
  ])("--only %s evaluates only that, and names what it leaves out", async (area, expected) => {
    const { code, evaluated, cases } = await check(worldOf(), "--only", area);
    expect([code, evaluated]).toEqual([0, expected]);
    expect(cases.filter(({ status }) => status === "skipped").map(({ message }) => message)).toHaveLength(3);
    const both = await check(worldOf(), "--only", area, "--only", "tokens");
    expect(both.evaluated).toEqual({ rule: 1, configuration: 1, ...expected });
  });

  test("an area that the file lacks is exit code 1 when only that is asked for", async () => {
    const { zones } = worldOf();
    const { code, found, diagnostics } = await check({ zones }, "--only", "brand");
    expect([code, found]).toEqual([1, ["nothing-evaluated"]]);
    expect(diagnostics[0]?.message).toMatch(/There is no domain query in /);
    expect((await check({ zones }, "--only", "brand", "--allow-empty")).code).toBe(0);
  });

  test("applications in a file, and an array of them, are recognized", async () => {
    expect((await check(app)).evaluated).toEqual({ application: 1 });
    const { code, evaluated } = await check([app, { ...app, origin_direct: ["tcp://2001:db8::1:22"] }]);
    expect([code, evaluated]).toEqual([1, { application: 2 }]);
    expect(await check([app], "--only", "tokens")).toMatchObject({ code: 1, found: ["nothing-evaluated"] });
  });

  test("a file of applications and a world are checked together", async () => {
    const words = ["check", await file(app), await file(worldOf()), "--json"];
    const { evaluated } = reportOutput.parse(JSON.parse((await edgeproof(words)).out));
    expect(evaluated).toMatchObject({ rule: 1, application: 2 });
  });

  test("the keys of a file are compared with --jwks, and the rules are checked too", async () => {
    const { jwk: other } = await mintKey("ES256", "other");
    const jwks = await file({ keys: [jwk, other] });
    const both = await check(worldOf({ rules: [constant] }), "--jwks", jwks);
    expect([both.code, both.found]).toEqual([1, ["always-true", "missing_key"]]);
    expect((await check(worldOf({ rules: [constant] }), "--jwks", jwks, "--only", "keys")).found).toEqual([
      "missing_key",
    ]);
  });

  test("an OpenAPI document is compared together with the check of the rules", async () => {
    const openapi = await file({
      openapi: "3.0.3",
      servers: [{ url: "https://api.example.com" }],
      security: [{ bearer: [] }],
      paths: { "/a": { get: {} } },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    });
    const { code, found, evaluated } = await check(worldOf({ rules: [constant] }), "--openapi", openapi);
    expect([code, found]).toEqual([1, ["always-true", "unprotected"]]);
    expect(evaluated).toMatchObject({ operation: 1, rule: 1 });
  });

  test("--fail-on is the level of every area", async () => {
    const world = worldOf({ rules: [constant] });
    expect((await check(world, "--fail-on", "error")).code).toBe(0);
    expect((await check(world, "--fail-on", "warning")).code).toBe(1);
  });
});

describe("invalid parts", () => {
  const invalid: readonly [name: string, parts: Parts, rule: string][] = [
    [
      "application",
      { applications: [{ ...app, origin_direct: ["tcp://2001:db8::1:22"] }] },
      "origin-brackets",
    ],
    [
      "variant that does not match the schema",
      { variants: [{ ...variant, options: { fit: "odd" } }] },
      "invalid-part",
    ],
    ["two variants of one id", { variants: [variant, variant] }, "invalid-part"],
    [
      "pattern",
      { queries: [{ ...query, string_matches: [{ pattern: "", max_edit_distance: 1 }] }] },
      "invalid-part",
    ],
    ["query that does not match the schema", { queries: [{ ...query, string_matches: 1 }] }, "invalid-part"],
    ["key", { configs: [invalidConfig] }, "invalid"],
    ["rule that does not match the schema", { rules: [{ ...constant, action: 1 }, constant] }, "invalid"],
    ["expression", { rules: [rule("broken(", "broken"), constant] }, "invalid"],
  ];

  test.each(invalid)(
    "an invalid %s is an error at its place, and the rules are checked",
    async (_, parts, name) => {
      const { code, found, diagnostics } = await check(worldOf({ rules: [constant], ...parts }));
      expect(code).toBe(1);
      expect(found).toEqual(["always-true", name].sort());
      const error = diagnostics.find((diagnostic) => diagnostic.rule === name);
      expect(error).toMatchObject({ level: "error" });
      expect(error?.start.line).toBeGreaterThan(2);
    },
  );

  test("an invalid rule does not keep applications, queries and variants from being checked", async () => {
    const { evaluated, found } = await check(worldOf({ rules: [rule("broken(", "broken")] }));
    expect(evaluated).toMatchObject({ application: 1, pattern: 1, variant: 1 });
    expect(found).toEqual(["invalid"]);
  });

  test("an invalid operation leaves the rules checked by their hosts", async () => {
    const world = worldOf({ rules: [constant] });
    const [zone] = world.zones;
    Object.assign(zone!.token_validation, { operations: [{ operation_id: "o", method: 1 }] });
    expect((await check(world)).found).toEqual(["always-true", "invalid"]);
  });

  test("a world whose own members are invalid is exit code 2", async () => {
    expect((await edgeproof(["check", await file({ zones: [{ id: 1 }] })])).code).toBe(2);
    expect((await edgeproof(["check", await file({ url: "https://a.b/" })])).err).toContain(
      "looks like a request",
    );
  });
});

describe("plans", () => {
  const resource = (type: string, name: string, values: object, unknown: object = {}) => ({
    address: `${type}.${name}`,
    mode: "managed",
    type,
    name,
    change: { actions: ["create"], before: null, after: values, after_unknown: unknown },
  });
  const plan = (...resource_changes: object[]) => ({ format_version: "1.2", resource_changes });

  test("a plan of other resources only is exit code 1, names them with a count, and says what to add", async () => {
    const path = await file(plan(resource("aws_s3_bucket", "a", {}), resource("aws_s3_bucket", "b", {})));
    const { code, out } = await edgeproof(["check", path]);
    expect(code).toBe(1);
    expect(out).toContain("error nothing-evaluated");
    expect(out).toContain("A world holds no resources of other providers (2 resources).");
    expect(out).toContain("--allow-empty");
  });

  test("a value that is not known until apply says what to resolve, and not to allow more steps", async () => {
    const zone_id = "0da42c8d2132a9ddaf714f9e7c920711";
    const values = { zone_id, action: "block", enabled: true, selector };
    const path = await file(
      plan(resource("cloudflare_token_validation_rules", "open", values, { expression: true })),
    );
    const words = ["check", path, "--zone-name", `${zone_id}=example.com`];
    const { code, out } = await edgeproof([...words, "--format", "markdown"]);
    expect(code).toBe(1);
    expect(out).toContain("Resolve the value");
    expect(out).not.toMatch(/steps|[Ss]implify/);
    expect((await edgeproof([...words, "--partial"])).code).toBe(1);
    expect((await edgeproof([...words, "--partial", "--allow-empty"])).code).toBe(0);
  });
});

test("a question that is too large is undecided, says to simplify, and is accepted by --partial", async () => {
  const parts = ["a.{50}b", "b.{50}c", "c.{50}a"].map(
    (pattern) => `http.request.uri.path matches "${pattern}"`,
  );
  const world = worldOf({ rules: [rule(parts.join(" and "), "large")] });
  const { code, diagnostics, cases } = await check(world);
  expect([code, diagnostics.map(({ rule }) => rule)]).toEqual([1, ["unused-config", "search-limit"]]);
  expect(diagnostics[1]?.help).toContain("simplify");
  expect(cases.find(({ name }) => name === "rule `large`")?.status).toBe("undecided");
  expect((await check(world, "--partial")).code).toBe(0);
});

describe("parts that are not checked", () => {
  const leftOut = async (account: object) => {
    const world = await file({ accounts: [{ id: "a1", ...account }] });
    const { code, out } = await edgeproof(["check", world, "--format", "json"]);
    const cases: { status: string; message?: string }[] = JSON.parse(out).cases;
    return {
      code,
      skipped: cases.filter(({ status }) => status === "skipped").map(({ message }) => message),
    };
  };

  test("the queries and variants of an area that does not match the schema are counted", async () => {
    const brand = { queries: [query, { tag: "bad" }] };
    const images = { variants: [variant, { ...variant, id: "wide", options: { width: "wide" } }] };
    expect(await leftOut({ brand, images })).toEqual({
      code: 1,
      skipped: [
        "2 domain queries; the file does not match the schema in `brand`",
        "2 image variants; the file does not match the schema in `images`",
      ],
    });
  });

  test("logo queries, scans and uploaded images are counted", async () => {
    const brand = {
      queries: [query],
      logo_queries: [{ tag: "l", similarity_threshold: 0.8, image: "" }],
      scans: [{ image: "" }, { image: "" }],
    };
    const reason = "`check` does not read pictures; `serve` and `eval` do";
    expect(await leftOut({ brand, images: { images: [{ image: "" }] } })).toEqual({
      code: 0,
      skipped: [`1 logo query; ${reason}`, `2 scans; ${reason}`, `1 uploaded image; ${reason}`],
    });
  });
});
