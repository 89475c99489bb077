/** `edgeproof check --openapi` in this process: text, JSON, reports, the page, exit codes, and invalid input. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { beforeAll, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256");
const config = {
  id,
  token_sources: ['http.request.headers["authorization"][0]'],
  credentials: { keys: [jwk] },
};
const valid = `is_jwt_valid("${id}")`;

function zoneOf(expression: string, action = "block", name = "z1") {
  const selector = { include: [{ host: ["api.example.com"] }] };
  return { id: name, token_validation: { configs: [config], rules: [{ action, expression, selector }] } };
}

const document = (paths: object, more: object = {}) => ({
  openapi: "3.0.3",
  servers: [{ url: "https://api.example.com" }],
  security: [{ bearer: [] }],
  paths,
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  ...more,
});
const orders = document({ "/orders/{id}": { get: {}, put: {} }, "/health": { get: { security: [] } } });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

let files = 0;
async function file(content: unknown, extension = "json"): Promise<string> {
  const path = join(folder, `${files++}.${extension}`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

async function audit(openapi: unknown, zones: readonly unknown[], ...words: string[]) {
  const paths = [await file(openapi), await file({ zones })];
  return edgeproof([
    "check",
    "--only",
    "openapi",
    "--openapi",
    paths[0] ?? "",
    "--world",
    paths[1] ?? "",
    ...words,
  ]);
}

test("audit exits with 0 when every secured operation is protected, and says what is", async () => {
  const elsewhere = { servers: [{ url: "https://status.example.com" }], get: { security: [] } };
  const openapi = document({ "/orders/{id}": { get: {}, put: {} }, "/health": elsewhere });
  const { code, out, err } = await audit(openapi, [zoneOf(valid)]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("left out: token rules: 1 token rule; --only does not name `tokens`\n");
  expect(out).toMatch(
    /\nzone z1: 3 documented operations: 2 protected, 1 public\n3 operations: 0 errors, .*\n$/,
  );
});

test("audit exits with 1 for an operation that is not protected, with its line and a request", async () => {
  const { code, out } = await audit(orders, [zoneOf(`${valid} or http.request.method eq "PUT"`)]);
  expect(code).toBe(1);
  expect(out).toMatch(/json:16:\d+: error unprotected at \/paths\/~1orders~1\{id\}\/put \[\w{16}:1\]\n/);
  expect(out).toContain("    PUT https://api.example.com/orders/x\n");
  expect(out).toContain(`    allow, operation PUT api.example.com/orders/x, token of ${id} missing\n`);
  expect(out).toMatch(/warning public-blocked at \/paths\/~1health\/get \[\w{16}:1\]\n/);
  expect(out).toContain("3 documented operations: 1 protected, 1 unprotected, 1 public-blocked\n");
});

test("audit exits with 1 for a rule that only logs, and with 0 when only a public operation is blocked", async () => {
  expect(await audit(orders, [zoneOf(valid, "log")])).toMatchObject({
    code: 1,
    out: expect.stringContaining("2 logged, 1 public"),
  });
  const { code, out } = await audit(orders, [zoneOf(valid)]);
  expect([code, out]).toEqual([0, expect.stringContaining("2 protected, 1 public-blocked\n")]);
});

test("audit evaluates by the rules of the profile", async () => {
  const [zone] = [zoneOf(valid)];
  const first = { ...zone.token_validation.rules[0], expression: 'http.request.method ne "TRACE"' };
  const rules = [first, ...zone.token_validation.rules];
  const both = [{ ...zone, token_validation: { ...zone.token_validation, rules } }];
  expect((await audit(orders, both)).code).toBe(0);
  expect((await audit(orders, both, "--profile", "provider")).code).toBe(1);
});

test("audit leaves out ignored operations and reports what it cannot read", async () => {
  const paths = {
    "/a": { "x-internal": true, get: {} },
    "/b.{x}": { get: {} },
    "/c": { $ref: "other.yaml" },
  };
  const { code, out } = await audit(document(paths), [zoneOf(`not ${valid}`)], "--ignore", "x-internal");
  expect(code).toBe(1);
  expect(out).toMatch(/warning not-audited at \/paths\/~1b\.\{x\}\n/);
  expect(out).toContain("`other.yaml` is outside of the document");
  expect(out).toContain("zone z1: 0 documented operations: 1 part ignored\n");
});

test("audit reads YAML, and prints SARIF, JUnit, annotations and Markdown at the line of the operation", async () => {
  const yaml = [
    "openapi: 3.1.0",
    "security: [{ bearer: [] }]",
    "paths:",
    "  /a:",
    "    get: { operationId: a }",
    "components:",
    "  securitySchemes:",
    "    bearer: { type: http, scheme: bearer }",
    "",
  ].join("\n");
  const words = [
    "check",
    "--only",
    "openapi",
    "--openapi",
    await file(yaml, "yaml"),
    "--world",
    await file({ zones: [zoneOf(`not ${valid}`)] }),
  ];
  const run = async (format: string) => {
    const { code, out } = await edgeproof([...words, "--host", "api.example.com", "--format", format]);
    expect(code, format).toBe(1);
    return out;
  };
  const sarif = JSON.parse(await run("sarif"));
  const [{ tool, results }] = sarif.runs;
  expect(results[0]).toMatchObject({ ruleId: "unprotected", level: "error" });
  expect(results[0].locations[0].physicalLocation.region).toMatchObject({ startLine: 5, startColumn: 10 });
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toContain("unprotected");
  expect(await run("junit")).toMatch(
    /<testcase [^>]*name="GET api\.example\.com\/a"[^>]*line="5">\s*<failure/,
  );
  expect(await run("github")).toMatch(/^::error file=[^,]*,line=5,/);
  expect(await run("markdown")).toContain("| error | z1: GET api.example.com/a | unprotected:");
});

test("audit shows placeholders for valid tokens, and names the key that must sign them", async () => {
  const { jwk: other } = await mintKey("ES256", "other");
  const second = {
    id: "61231d16-01f1-48e3-93f8-91c99e81288e",
    token_sources: ['http.request.cookies["session"][0]'],
    credentials: { keys: [other] },
  };
  const zone = zoneOf(`is_jwt_valid("${second.id}")`);
  const configs = [config, second];
  const { out } = await audit(orders, [{ ...zone, token_validation: { ...zone.token_validation, configs } }]);
  expect(out).toMatch(
    / {4}cookie: session=eyJ\S+\n {4}\(eyJ\S+ is a placeholder for a valid token: kid other, alg ES256\)/,
  );
});

test("--html writes one page that loads nothing, with every operation and hostile text escaped", async () => {
  const hostile = `</td><script>alert("1")</script>`;
  const paths = { "/a": { get: { operationId: hostile } }, "/b": { get: {} } };
  const page = join(folder, "audit.html");
  const { code } = await audit(document(paths), [zoneOf(valid)], "--html", page);
  expect(code).toBe(0);
  const html = await readFile(page, "utf8");
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
  expect(html.match(/<th scope="row">/g)).toHaveLength(2);
  expect(html).not.toMatch(/(src|href)=/);
  const broken = await audit(orders, [zoneOf(valid)], "--html", join(folder, "no", "such", "folder.html"));
  expect(broken.code).toBe(2);
});

test.each([
  ["no document", ["world.json"], "--only openapi needs --openapi"],
  [
    "no world",
    ["--openapi", "x.yaml"],
    "`file` is missing: pass at least one file, such as `npx edgeproof check plan.json`, or `-` for standard input; after `npx edgeproof init` the files of the folder are checked without names",
  ],
])("%s is a usage error", async (_, words, message) => {
  expect(await edgeproof(["check", "--only", "openapi", ...words])).toMatchObject({
    code: 2,
    err: `edgeproof: ${message}\n`,
  });
});

test("invalid documents, zones and hosts are usage errors with the line and what is allowed", async () => {
  const messages = [
    await audit({ openapi: "4.0.0" }, [zoneOf(valid)]),
    await audit({ openapi: "3.0.0", paths: { "/a": { get: { security: 1 } } } }, [zoneOf(valid)]),
    await audit({ openapi: "3.0.0", paths: { "/a": { get: {} } } }, [zoneOf(valid)]),
    await audit(orders, [zoneOf(valid)], "--zone", "z2"),
    await audit(orders, [zoneOf(valid), zoneOf(valid, "block", "z2")]),
    await audit(orders, []),
    await audit(orders, [zoneOf(valid)], "--host", "a/b"),
  ].map(({ code, out, err }) => {
    expect([code, out]).toEqual([2, ""]);
    return err.replaceAll(folder, "").replaceAll(/\d+\.json/g, "file.json");
  });
  expect(messages).toMatchSnapshot();
});

test("a document is not compared with an invalid zone, whose problems are named, and exit code 1", async () => {
  const { code, out } = await audit(orders, [zoneOf('is_jwt_valid("x")')]);
  expect(code).toBe(1);
  expect(out).toContain("is not compared, since rules or keys of the zone `z1` are invalid");
  expect(out).toMatch(/ {4}\/zones\/0\/token_validation\/rules\/0\/expression: /);
});

test("a document whose only path cannot be read is exit code 1, and 0 with --partial and --allow-empty", async () => {
  const openapi = document({ "/b.{x}": { get: {} } });
  const { code, out } = await audit(openapi, [zoneOf(valid)]);
  expect([code, out]).toEqual([1, expect.stringContaining("warning not-audited at ")]);
  expect((await audit(openapi, [zoneOf(valid)], "--partial")).code).toBe(1);
  expect((await audit(openapi, [zoneOf(valid)], "--partial", "--allow-empty")).code).toBe(0);
  const readable = document({ "/b.{x}": { get: {} }, "/c": { get: {} } });
  expect((await audit(readable, [zoneOf(valid)])).code).toBe(1);
  expect((await audit(readable, [zoneOf(valid)], "--partial")).code).toBe(0);
});

test("a zone is chosen by --zone", async () => {
  const zones = [zoneOf(valid), zoneOf(`not ${valid}`, "block", "z2")];
  expect((await audit(orders, zones, "--zone", "z1")).code).toBe(0);
  expect((await audit(orders, zones, "--zone", "z2")).code).toBe(1);
});

test("control characters of a document are made visible", async () => {
  const { out } = await audit(document({ "/a": { get: {} } }, { servers: [{ url: "ftp://\u001b[31m" }] }), [
    zoneOf(valid),
  ]);
  expect(out).not.toContain("\u001b");
  expect(out).toContain("is not an http or https URL");
});

test("a rule that a plan leaves undecided is exit code 1, and what it could change is marked", async () => {
  const rule = (name: string, after: object, unknown: object) => ({
    address: `cloudflare_token_validation_rules.${name}`,
    mode: "managed",
    type: "cloudflare_token_validation_rules",
    name,
    change: {
      actions: ["create"],
      before: null,
      after: { zone_id: "z1", action: "block", enabled: true, ...after },
      after_unknown: unknown,
    },
  });
  const selector = { include: [{ host: ["api.example.com"] }] };
  const plan = {
    format_version: "1.2",
    resource_changes: [
      rule("open", { selector }, { expression: true }),
      rule("known", { selector, expression: 'http.request.method ne "TRACE"' }, {}),
    ],
  };
  const words = [
    "check",
    "--only",
    "openapi",
    "--openapi",
    await file(orders),
    "--world",
    await file(plan),
    "--zone-name",
    "z1=example.com",
  ];
  const open = await edgeproof(words);
  expect(open.code).toBe(1);
  expect(open.out).toMatch(/warning undecided at \S+\n {2}A rule is left out: `expression` is not known/);
  const { out } = await edgeproof([...words, "--partial"]);
  expect(out).toContain("GET api.example.com/orders/{var1}: The outcome `no-token-source` could change.");
  const page = join(folder, "open.html");
  const formats = ["sarif", "junit", "github", "markdown"].map(async (format) => {
    return (await edgeproof([...words, "--partial", "--format", format, "--html", page])).out;
  });
  for (const format of formats) expect(await format).toContain("could change");
  expect(await readFile(page, "utf8")).toContain("could change: A rule is left out");
});

test("a zone without token rules is one finding, and equal findings are bounded unless --all is given", async () => {
  const paths = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/p${i}`, { get: {}, put: {} }]));
  const bare = { id: "z1", name: "example.com", token_validation: { configs: [config], rules: [] } };
  const result = await audit(document(paths), [bare]);
  expect(result.code).toBe(1);
  expect(result.out).toContain(
    "The zone `z1` has no enabled token rule, so that requests without a valid token get through to each of the 80 operations that the document secures.\n",
  );
  expect(result.out.split("\n").length).toBeLessThan(12);
  const open = zoneOf(`not ${valid}`);
  const bounded = await audit(document(paths), [open]);
  expect(bounded.out.match(/error unprotected at/g)).toHaveLength(10);
  expect(bounded.out).toContain("\nand 70 more: error unprotected: --all prints them\n");
  const all = await audit(document(paths), [open], "--all");
  expect(all.out.match(/error unprotected at/g)).toHaveLength(80);
  expect(JSON.parse((await audit(document(paths), [open], "--json")).out).diagnostics).toHaveLength(80);
});
