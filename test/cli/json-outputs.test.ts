/** The `--json` output of every command conforms to its published schema. */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { mintKey, mintToken } from "edgeproof/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands/commands.ts";
import { jsonOutputs } from "../../src/cli/output/schemas/json-outputs.ts";
import { createEdge } from "../../src/edge.ts";
import { serveOnNode } from "../../src/http/node-server.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { pngPicture } from "../../src/testing/pictures/picture-samples.ts";
import { edgeproof } from "../support/cli.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false });

function validatorOf(name: string): ValidateFunction {
  return ajv.compile(JSON.parse(readFileSync(`schemas/cli/${name}.schema.json`, "utf8")));
}

const validators = new Map(Object.keys(jsonOutputs).map((name) => [name, validatorOf(name)]));

/** Asserts that a value conforms to a schema, and returns it. */
function expectConforming(name: string, value: unknown): unknown {
  const validate = validators.get(name)!;
  expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  return value;
}

const shopDocument = "fixtures/openapi/shop.yaml";

let folder: string;
const at = (name: string) => join(folder, name);

async function file(name: string, content: unknown): Promise<void> {
  const isPlain = typeof content === "string" || content instanceof Uint8Array;
  await writeFile(at(name), isPlain ? content : JSON.stringify(content));
}

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const source = 'http.request.headers["authorization"][0]';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const key = await mintKey("ES256");
  const configs = [{ id, token_sources: [source], credentials: { keys: [key.jwk] } }];
  const worldOf = (...expressions: readonly string[]) => {
    const selector = { include: [{ host: ["api.example.com"] }] };
    const rules = expressions.map((expression) => ({ title: "t", action: "block", expression, selector }));
    return { zones: [{ id: "z1", name: "example.com", token_validation: { configs, rules } }] };
  };
  const valid = `is_jwt_valid("${id}")`;
  await file("world.json", worldOf(valid));
  await file("edgeproof.config.json", {
    worlds: { main: "world.json" },
    suites: "requests.json",
    options: { profile: "spec" },
    commands: { check: { arguments: "world.json", only: ["tokens"] } },
  });
  const { jwk: next } = await mintKey("ES256", "next");
  await file("jwks.json", { keys: [next, { kty: "RSA", use: "enc", kid: "other" }] });
  await file(
    "odd.json",
    worldOf(`${valid} or not ${valid}`, `is_jwt_present("${id}") or ${valid}`, "broken("),
  );
  await file("true.json", worldOf(`${valid} or not ${valid}`));
  await file("present.json", worldOf(`is_jwt_present("${id}")`));
  const url = "https://api.example.com/";
  const headers = { authorization: `Bearer ${await mintToken(key, { sub: "ada" })}` };
  await file("requests.json", [
    { name: "good", url, headers, expect: "allow" },
    { url, headers: { authorization: "x" } },
    { url },
    { url: "https://www.example.com/" },
  ]);
  await file("traffic.txt", `curl ${url} -H 'authorization: x'\nwget ${url}\ncurl ${url} -H @file`);
  const record = { ClientRequestMethod: "GET", ClientRequestHost: "api.example.com", ClientRequestURI: "/" };
  const edge = { SecuritySources: [], SecurityActions: [], RequestHeaders: { authorization: "x" } };
  await file("edge.ndjson", JSON.stringify({ ...record, ...edge, EdgeStartTimestamp: 1 }));
  const app = { protocol: "tcp/22", dns: { type: "CNAME", name: "ssh.example.com" } };
  await file("apps.json", [
    { ...app, origin_direct: ["tcp://192.0.2.1:22"], more: 1 },
    { ...app, origin_direct: ["tcp://2001:db8::1:22"] },
    { ...app, protocol: 1 },
    7,
  ]);
  await file("my names.txt", "paypa1.com\nnot a name\nsecure-paypal.net\nxn--pypal-4ve.com\n");
  await file("brands.json", {
    accounts: [
      {
        id: "a1",
        brand: { queries: [{ tag: "ours", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] }] },
      },
    ],
  });
  await file("picture.png", pngPicture({ width: 60, height: 40, color: [200, 30, 30] }));
  await file(
    "logo.png",
    drawPng((x, y) => x < y),
  );
});

/** A command, its arguments and its exit code. */
type Case = [name: string, words: () => readonly string[], code: number];

/** Commands that print JSON Lines. */
const jsonLines: ReadonlySet<string> = new Set(["match", "variants"]);

const cases: Case[] = [
  [
    "check",
    () => [
      ...["check", at("world.json"), "--only", "openapi"],
      ...["--openapi", shopDocument, "--ignore", "x-internal"],
    ],
    1,
  ],
  ["check", () => ["check", at("odd.json")], 1],
  ["check", () => ["check", at("true.json")], 1],
  ["check", () => ["check", at("world.json")], 0],
  ["config", () => ["config", "print", "--config-file", at("edgeproof.config.json")], 0],
  ["demo", () => ["demo"], 0],
  ["diff", () => ["diff", at("world.json"), at("present.json")], 1],
  ["diff", () => ["diff", at("world.json"), at("world.json")], 0],
  ["explain", () => ["explain", "11034"], 0],
  ["eval", () => ["eval", "--world", at("world.json"), "--requests", at("requests.json")], 0],
  [
    "eval",
    () => ["eval", "--world", at("world.json"), "--requests", at("requests.json"), "--expect", "block"],
    1,
  ],
  ["keys", () => ["world", "keys", at("jwks.json")], 0],
  ["check", () => ["check", at("world.json"), "--only", "keys", "--jwks", at("jwks.json")], 1],
  ["check", () => ["check", at("apps.json")], 1],
  ["logo", () => ["brand", "logo", at("logo.png"), at("picture.png"), at("logo.png")], 0],
  ["match", () => ["brand", "match", "--pattern", "paypal:1", "--confusables", at("my names.txt")], 1],
  ["match", () => ["brand", "match", "--world", at("brands.json"), at("my names.txt")], 1],
  ["mutate", () => ["suite", "mutate", "--world", at("world.json"), "--requests", at("requests.json")], 0],
  ["render", () => ["images", "render", at("picture.png"), at("out.webp"), "--width", "20"], 0],
  [
    "replay",
    () => ["replay", "--world", at("world.json"), "--against", at("present.json"), at("traffic.txt")],
    1,
  ],
  ["replay", () => ["replay", "--world", at("world.json"), at("edge.ndjson")], 1],
  ["sign", () => ["images", "sign", "/h/i/public", "--key", "k"], 0],
  ["sign", () => ["images", "sign", "/h/i/public", "--key", "k", "--expires", "1h"], 0],
  ["variants", () => ["brand", "variants", "paypal.com"], 0],
  ["world", () => ["world", "from", "--from", "fixtures/own-configuration/plan-v5-modules.json"], 1],
];

describe("--json", () => {
  test.each(cases)("%s", async (name, words, code) => {
    const result = await edgeproof([...words(), "--json"]);
    expect(result).toMatchObject({ code });
    const values = jsonLines.has(name) ? result.out.trim().split("\n") : [result.out];
    for (const value of values) expectConforming(name, JSON.parse(value));
    expect(result.out.length).toBeGreaterThan(2);
  });

  test("serve, export and import conform to their schemas", async () => {
    const stop = new AbortController();
    let out = "";
    const running = edgeproof(["serve", "--port", "0", "--data", at("edge.db"), "--json"], "", {
      signal: stop.signal,
      onOut: (text) => {
        out += text;
      },
    });
    await expect.poll(() => out, { timeout: 60_000 }).toContain("\n");
    expectConforming("serve", JSON.parse(out));
    stop.abort();
    expect((await running).code).toBe(0);
    const exported = await edgeproof([
      "store",
      "export",
      "--data",
      at("edge.db"),
      at("edge.jsonl"),
      "--json",
    ]);
    expectConforming("export", JSON.parse(exported.out));
    const imported = await edgeproof([
      "store",
      "import",
      "--data",
      at("other.db"),
      at("edge.jsonl"),
      "--json",
    ]);
    expectConforming("import", JSON.parse(imported.out));
    await file("observed.txt", "paypa1.example\n{\n");
    const words = [
      "store",
      "observe",
      "--account",
      "a1",
      "--data",
      at("other.db"),
      "--json",
      at("observed.txt"),
    ];
    const observed = await edgeproof(words);
    expectConforming("observe", JSON.parse(observed.out));
    expect(observed.code).toBe(1);
    const reindexed = await edgeproof(["store", "reindex", "--data", at("other.db"), "--json"]);
    expectConforming("reindex", JSON.parse(reindexed.out));
    expect([exported.err, imported.err, reindexed.err]).toEqual(["", "", ""]);
  });

  test("workbench, and serve with it, conform to their schemas", async () => {
    const page = at("page");
    await mkdir(page);
    await writeFile(join(page, "index.html"), "<!doctype html>");
    const stop = new AbortController();
    const start = (...words: readonly string[]) => {
      let out = "";
      const onOut = (text: string) => {
        out += text;
      };
      const options = { signal: stop.signal, onOut, env: { EDGEPROOF_PAGE: page } };
      return {
        running: edgeproof([...words, "--workbench-port", "0", "--json"], "", options),
        out: () => out,
      };
    };
    const own = start("workbench", "--world", at("world.json"));
    const served = start("serve", "--port", "0", "--workbench");
    await expect.poll(own.out, { timeout: 60_000 }).toContain("\n");
    await expect.poll(served.out, { timeout: 60_000 }).toContain("\n");
    expectConforming("workbench", JSON.parse(own.out()));
    expect(expectConforming("serve", JSON.parse(served.out()))).toHaveProperty("workbench");
    stop.abort();
    expect([(await own.running).code, (await served.running).code]).toEqual([0, 0]);
  });

  test("pull conforms to its schema", async () => {
    const edge = createEdge({ profile: "provider", world: { zones: [{ id: "z1", name: "example.com" }] } });
    const server = await serveOnNode(edge.fetch, { port: 0 });
    const words = ["world", "pull", "--zone", "z1", "--base-url", `${server.url}/client/v4`, "--json"];
    const { code, out } = await edgeproof(words, "", { env: { CLOUDFLARE_API_TOKEN: "any" } });
    await server.close();
    expect(code).toBe(0);
    expectConforming("pull", JSON.parse(out));
  });

  test("the coverage of eval conforms to its schema", async () => {
    const words = ["eval", "--world", at("world.json"), "--requests", at("requests.json")];
    const { code, out } = await edgeproof([...words, "--coverage", "json"]);
    expect(code).toBe(0);
    expect(expectConforming("coverage", JSON.parse(out))).toMatchObject([{ zone: "z1", verdicts: 4 }]);
  });

  test("eval conforms to its schema when a whole decision is expected", async () => {
    await file("decisions.json", [
      { url: "https://www.example.com/", expect: { action: "allow", outcome: "no_rule" } },
    ]);
    const words = ["eval", "--world", at("world.json"), "--requests", at("decisions.json"), "--json"];
    const { code, out } = await edgeproof(words);
    expect(code).toBe(0);
    expectConforming("eval", JSON.parse(out));
  });

  test("export to standard output rejects --json", async () => {
    const { code, err, out } = await edgeproof(["store", "export", "--data", at("edge.db"), "--json"]);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(/--json needs a file/)]);
  });

  test("every command has the option, a published schema and a case in this file", () => {
    // The output of `suite generate` is input: test files, or JSON with the schema of requests; those of `lsp` and `mcp` are protocols;
    // `playground` writes a page.
    const others = ["suite generate", "complete", "playground", "lsp", "mcp"];
    const reporting = commands.filter(({ name }) => !others.includes(name));
    const names = [...new Set(reporting.map(({ schema = "" }) => schema))];
    const ofCommands = Object.keys(jsonOutputs).filter((name) => name !== "sarif" && name !== "coverage");
    expect(ofCommands).toEqual(names.toSorted());
    expect(reporting.filter(({ options }) => options["json"]?.value !== undefined)).toEqual([]);
    expect(reporting.filter(({ options }) => !options["json"])).toEqual([]);
    const tested = new Set([
      ...cases.map(([name]) => name),
      "serve",
      "workbench",
      "export",
      "import",
      "pull",
      "observe",
      "reindex",
      // In project/init.test.ts.
      "init",
      // In queue.test.ts.
      "queue",
      // Over PostgreSQL, in workers.test.ts.
      "publish",
      "worker",
    ]);
    expect(names.filter((name) => !tested.has(name))).toEqual([]);
  });
});

describe("SARIF", () => {
  test.each<[string, () => string[]]>([
    ["a document of operations", () => ["check", at("world.json"), "--openapi", shopDocument]],
    ["check", () => ["check", at("odd.json")]],
    ["check without findings", () => ["check", at("world.json")]],
    ["applications", () => ["check", at("apps.json")]],
  ])("%s", async (_title, words) => {
    const { out } = await edgeproof([...words(), "--format", "sarif"]);
    const log = expectConforming("sarif", JSON.parse(out)) as SarifLog;
    const [{ tool, results }] = log.runs;
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  test("the location of standard input and of a name with a space is a URI", async () => {
    const piped = await edgeproof(["check", "-", "--only", "proxy", "--format", "sarif"], "{}");
    expect(piped.out).toContain('"uri": "stdin"');
    await file("my app.json", {});
    const named = await edgeproof(["check", at("my app.json"), "--only", "proxy", "--format", "sarif"]);
    expectConforming("sarif", JSON.parse(named.out));
    expect(named.out).toContain("my%20app.json");
  });
});

interface SarifLog {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[];
    },
  ];
}

test("the schemas reject values that commands do not print", () => {
  const invalid: Readonly<Record<string, unknown>> = {
    check: [{ zone: "z1", check: "no-such-check", severity: "error" }],
    config: { worlds: [{ name: "main", words: "a.json", from: "file" }], suites: [], commands: [] },
    coverage: [{ zone: "z1", verdicts: -1 }],
    demo: [{ area: "shared", title: "", rows: [], notes: [] }],
    diff: [{ zone: "z1", result: "different", differences: [] }],
    eval: [{ method: "GET", url: "/", verdict: { action: "deny" } }],
    explain: [{ id: "always-true", area: "Token rules", level: "severe" }],
    export: { file: "a", records: -1, sequences: 0, blobs: 0 },
    import: { records: 1, sequences: 0 },
    init: { found: [], written: "edgeproof.config.yaml", next: [] },
    keys: { keys: [{ kty: "OKP" }], dropped: [], notes: [], source: "a" },
    logo: [{ file: "a", score: 1.5 }],
    match: { domain: "a" },
    mutate: [{ zone: "z1", mutants: "many" }],
    observe: [{ account: "a1", new: 1, duplicate: 0, rejected: 0, matches: 0 }],
    publish: { accepted: 1, rejected: 0, problems: [] },
    pull: { world: {}, report: {} },
    queue: { waiting: 1, taken: 0, dead: 0 },
    reindex: { described: 1, current: -1, skipped: 0 },
    render: { file: "a", contentType: "image/bmp", width: 1, height: 1, frames: 1, bytes: 1 },
    replay: { files: [], tokens: {}, unexpected: -1 },
    sarif: { version: "2.1.0", runs: [] },
    serve: { url: "http://127.0.0.1:1/client/v4", pid: 1 },
    sign: { address: "/a", expires_at: "never" },
    variants: { domain: "a.com", technique: "exact" },
    workbench: { address: "http://127.0.0.1:1/#token" },
    worker: { done: 1, failed: 0, dead: -1 },
    world: { world: {}, report: { accepted: [] } },
  };
  expect(Object.keys(invalid)).toEqual([...validators.keys()]);
  for (const [name, value] of Object.entries(invalid)) expect(validators.get(name)!(value), name).toBe(false);
});
