/** No output of a command has a shared secret, whatever its format, and whatever is wrong with the input. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { mintToken } from "../../src/testing/tokens/mint.ts";
import { readPrivateKey } from "../../src/testing/tokens/private-keys.ts";
import {
  config,
  configId,
  entry,
  operation,
  planFile,
  rule,
  stateFile,
  zone,
  zoneId,
} from "../import/terraform/documents.ts";
import { edgeproof } from "../support/cli.ts";
import { leaksIn, markedKey, markedSecret } from "../support/marked-secret.ts";

const key = markedKey();
const { zone_id: _config, ...worldConfig } = config;
const { zone_id: _rule, ...worldRule } = rule;
const keyed = (...keys: readonly object[]) => ({ ...worldConfig, credentials: { keys } });
const worldOf = (keys: readonly object[], more: object = {}) => ({
  profile: "provider",
  zones: [
    {
      id: zoneId,
      name: "example.com",
      token_validation: {
        configs: [keyed(...keys)],
        rules: [{ ...worldRule, selector: { include: [{ host: ["api.example.com"] }] } }],
        operations: [{ operation_id: "o1", method: "GET", host: "api.example.com", endpoint: "/v1/orders" }],
      },
    },
  ],
  ...more,
});

let folder: string;
const at = (name: string) => join(folder, name);
async function file(name: string, content: unknown): Promise<string> {
  await writeFile(at(name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return at(name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-secrets-"));
  await file("world.json", worldOf([key]));
  const other = { ...key, k: Buffer.alloc(64, 7).toString("base64url") };
  await file("other.json", worldOf([other]));
  const minted = await readPrivateKey(JSON.stringify(key));
  const request = async (claims: object, expect: string) => ({
    method: "GET",
    url: "https://api.example.com/v1/orders",
    headers: { authorization: `Bearer ${await mintToken(minted, { ...claims })}` },
    expect,
  });
  await file("requests.json", [await request({ sub: "ada" }, "allow"), await request({ exp: 1 }, "block")]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command and searches everything that it printed; files that it wrote are searched when they are named. */
async function run(words: readonly string[], ...written: readonly string[]) {
  const result = await edgeproof(words);
  expect(leaksIn(result.out)).toEqual([]);
  expect(leaksIn(result.err)).toEqual([]);
  for (const name of written) expect([name, leaksIn(await readFile(at(name), "utf8"))]).toEqual([name, []]);
  return result;
}

const formats = ["text", "json", "sarif", "junit", "github", "gitlab", "markdown"] as const;

describe.each(formats)("as %s", (format) => {
  test("the evaluation of requests decides by the secret, and prints nothing of it", async () => {
    const words = [
      "eval",
      "--world",
      at("world.json"),
      "--requests",
      at("requests.json"),
      "--format",
      format,
    ];
    const { code } = await run([...words, "--explain"]);
    expect(code).toBe(0);
  });

  test("checks of a valid world, and of one with each fault of the secret", async () => {
    expect((await run(["check", at("world.json"), "--format", format])).code).toBeLessThan(2);
    const text = JSON.stringify(worldOf([key]), null, 2);
    const invalid = {
      "spec.json": worldOf([key], { profile: "spec" }),
      "short.json": worldOf([{ ...key, alg: "HS256", k: markedSecret.slice(0, 40) }]),
      "padded.json": worldOf([{ ...key, k: `${markedSecret}==` }]),
      "spaced.json": worldOf([{ ...key, k: `${markedSecret} ` }]),
      "object.json": worldOf([{ ...key, k: { k: markedSecret } }]),
      "array.json": worldOf([{ ...key, k: [markedSecret] }]),
      "rsa.json": worldOf([{ ...key, kty: "RSA" }]),
      "two.json": worldOf([key, key]),
      "member.json": worldOf([{ ...key, K: markedSecret, secret: markedSecret }]),
      "repeated.json": text.replace('"k":', `"k": "${markedSecret}", "k":`),
      "yaml.yaml": `profile: provider\nzones:\n  - id: ${zoneId}\n    token_validation:\n      configs:\n        - id: ${configId}\n          token_sources: []\n          credentials: { keys: [{ kty: oct, alg: HS256, kid: a, k: ${markedSecret}== }] }\n`,
    };
    for (const [name, content] of Object.entries(invalid)) {
      const { code, out, err } = await run(["check", await file(name, content), "--format", format]);
      if (name !== "member.json" && name !== "repeated.json")
        expect([name, code, `${out}${err}`]).toEqual([
          name,
          expect.toSatisfy((c: number) => c > 0),
          expect.any(String),
        ]);
      await run(["eval", "--world", at(name), "--requests", at("requests.json"), "--format", format]);
    }
  });

  test("a comparison of two worlds with different secrets", async () => {
    await run(["diff", at("world.json"), at("other.json"), "--format", format]);
    await run(["diff", at("world.json"), at("other.json"), "--effect", "decision", "--format", format]);
  });
});

test.each([
  ["unquoted.json", `{"zones": [{ "kty": "oct", "k": ${markedSecret} }] }`],
  ["quotes.json", `{"zones": [{ "kty": "oct", "k":'${markedSecret}' }] }`],
  ["line.json", `{"zones": [{ "kty": "oct", "k": "${markedSecret}\n" }] }`],
  ["end.json", `{"zones": [{ "kty": "oct", "k": "${markedSecret} }] }`],
  ["comma.json", `{"zones": [{ "k": "${markedSecret}" "kty": "oct" }] }`],
  ["keys.json", { keys: [markedSecret] }],
  ["one.json", worldOf([markedSecret as unknown as object])],
  ["alias.yaml", `zones:\n  - kty: oct\n    k: *${markedSecret}\n`],
  ["tag.yaml", `zones:\n  - kty: oct\n    k: !${markedSecret} a\n`],
  ["quote.yaml", `zones:\n  - kty: oct\n    k: "${markedSecret}\n    kid: a\n`],
])("the message about the invalid text %s has no part of the secret", async (name, content) => {
  const path = await file(name, content);
  const codes = [
    await run(["check", path, "--json"]),
    await run(["eval", "--world", path, "--requests", at("requests.json")]),
    await run(["world", "from", path]),
    await run(["world", "keys", path]),
  ].map(({ code }) => code);
  expect(codes).not.toContain(0);
});

test("a generated suite passes without the secret, in every format", async () => {
  for (const format of ["vitest", "jest", "node", "json"])
    await run(
      ["suite", "generate", "--world", at("world.json"), "--format", format, "--out", at(`suite.${format}`)],
      `suite.${format}`,
    );
  const passed = await run(["eval", "--world", at("world.json"), "--requests", at("suite.json"), "--json"]);
  expect(passed.code).toBe(0);
  const mutated = await run([
    "suite",
    "mutate",
    "--world",
    at("world.json"),
    "--requests",
    at("suite.json"),
    "--json",
  ]);
  expect(mutated.code).toBe(0);
  expect(mutated.out).toMatch(/HS384/);
});

test("reports of coverage, and a replay of recorded traffic", async () => {
  const words = ["eval", "--world", at("world.json"), "--requests", at("requests.json")];
  for (const format of ["text", "json", "html", "lcov"])
    await run(
      [...words, "--coverage", format, "--coverage-out", at(`coverage.${format}`)],
      `coverage.${format}`,
    );
  const [request] = JSON.parse(await readFile(at("requests.json"), "utf8"));
  const { authorization } = request.headers;
  const curl = await file("traffic.sh", `curl -H 'authorization: ${authorization}' ${request.url}\n`);
  const replayed = await run([
    "replay",
    curl,
    "--input",
    "curl",
    "--world",
    at("world.json"),
    "--against",
    at("other.json"),
    "--json",
  ]);
  expect(replayed.code).toBeLessThan(2);
});

test("a file of accepted findings", async () => {
  const rules = [{ ...worldRule, selector: {} }];
  const found = worldOf([key]);
  for (const zone of found.zones) Object.assign(zone.token_validation, { rules });
  const path = await file("found.json", found);
  const written = await run(["check", path, "--write-baseline", at("baseline.json")], "baseline.json");
  expect(written.out).toMatch(/[1-9]\d* accepted/);
});

test("the log and the answers of a running server", async () => {
  const words = ["serve", "--port", "0", "--log", "json", "--world", at("world.json")];
  const stop = new AbortController();
  const seen: string[] = [];
  let started = (_url: string): void => {};
  const listening = new Promise<string>((resolve) => {
    started = resolve;
  });
  const command = edgeproof(words, "", {
    signal: stop.signal,
    onOut: (text) => {
      const [url] = /http:\S+\/client\/v4/.exec(text) ?? [];
      if (url !== undefined) started(url);
    },
  });
  try {
    const base = `${await listening}/zones/${zoneId}/token_validation/config/${configId}/credentials`;
    const headers = { authorization: "Bearer any", "content-type": "application/json" };
    for (const jwk of [key, { ...key, k: `${markedSecret}==` }, { alg: key.alg, kid: key.kid }])
      for (const method of ["PUT", "PATCH"]) {
        const response = await fetch(base, { method, headers, body: JSON.stringify({ keys: [jwk] }) });
        seen.push(`${response.status} ${await response.text()}`);
      }
  } finally {
    stop.abort();
  }
  const { out, err } = await command;
  expect(seen.map((text) => text.slice(0, 3))).toEqual(["200", "200", "400", "400", "400", "200"]);
  expect(out).toMatch(/"method":"PATCH"/);
  expect(leaksIn([...seen, out, err].join("\n"))).toEqual([]);
});

describe("imports", () => {
  const envelope = (result: unknown) => ({ success: true, errors: [], messages: [], result });
  const sources = {
    "configs.json": envelope([{ ...config, credentials: { keys: [key] } }]),
    "plan.json": planFile([
      entry("zone", "z", zone),
      entry("config", "c", { ...config, credentials: { keys: [key] } }),
    ]).text,
    "state.json": stateFile(
      entry("zone", "z", zone),
      entry(
        "config",
        "c",
        { ...config, credentials: { keys: [key] } },
        { sensitive_values: { credentials: { keys: [{ k: true }] } } },
      ),
    ).text,
    "jwks.json": { keys: [key] },
  };

  test.each(Object.entries(sources))(
    "%s: the secret is left out, unless it is asked for",
    async (name, content) => {
      const words = ["world", "from", await file(name, content), "--zone-name", `${zoneId}=example.com`];
      const left = await run([...words, "--json"]);
      expect([left.code, left.out, left.err]).toEqual([
        1,
        expect.stringContaining("--with-secrets"),
        expect.stringContaining("--with-secrets"),
      ]);
      await run([...words, "--partial"]);
      await run([...words, "--partial", "--allow-empty", "--out", at("partial.json")], "partial.json");
      const made = await run([...words, "--with-secrets", "--partial", "--out", at("with.json")]);
      const written = await readFile(at("with.json"), "utf8");
      expect([made.err, written]).toEqual([
        expect.any(String),
        expect.stringContaining(`"k": "${markedSecret}"`),
      ]);
    },
  );

  test("an answer of the service without the secret is undecided, and a file that has it decides", async () => {
    const { k: _, ...shown } = key;
    const answer = await file("answer.json", envelope([{ ...config, credentials: { keys: [shown] } }]));
    const operations = await file("operations.json", envelope([operation]));
    const alone = await run(["world", "from", answer, operations]);
    expect([alone.code, alone.err]).toEqual([
      1,
      expect.stringContaining("`credentials.keys.0.k` is a secret, which no answer of the service has"),
    ]);
    const state = await file("state.json", sources["state.json"]);
    const both = await run(["world", "from", answer, state, "--with-secrets", "--out", at("both.json")]);
    expect([both.code, both.err]).toEqual([0, expect.any(String)]);
    expect(await readFile(at("both.json"), "utf8")).toContain(markedSecret);
  });

  test("two files with different secrets are a conflict without their values", async () => {
    const other = {
      ...config,
      credentials: { keys: [{ ...key, k: Buffer.alloc(40, 9).toString("base64url") }] },
    };
    const files = [
      await file("one.json", sources["configs.json"]),
      await file("two.json", envelope([other])),
    ];
    const { code, err } = await run(["world", "from", ...files, "--with-secrets"]);
    expect([code, err]).toEqual([
      expect.toSatisfy((c: number) => c > 0),
      expect.stringContaining("`credentials`"),
    ]);
  });

  test("the keys of an issuer have no shared secret", async () => {
    const jwks = await file("jwks.json", { keys: [key] });
    for (const more of [[], ["--json"]]) expect((await run(["world", "keys", jwks, ...more])).code).toBe(1);
    const compared = await run(["check", at("world.json"), "--only", "keys", "--jwks", jwks, "--json"]);
    expect(compared.code).toBe(1);
    expect(compared.out).toContain("published_secret");
    expect(compared.out).not.toContain("stale_key");
  });
});

test("a store is exported with its secrets, as a transfer needs them; nothing else that is printed has them", async () => {
  const store = await openSqliteStore({ path: at("edge.db") });
  const edge = createEdge({ store, profile: "provider", world: worldOf([key]) as never });
  await edge.tokens.evaluate(zoneId, { method: "GET", url: "https://api.example.com/v1/orders" });
  await edge.close();
  await run(["store", "export", "--data", at("edge.db"), at("edge.jsonl"), "--json"]);
  expect(await readFile(at("edge.jsonl"), "utf8")).toContain(markedSecret);
  await run(["store", "import", "--data", at("copy.db"), at("edge.jsonl"), "--json"]);
});

test("`init` copies no secret", async () => {
  const project = await mkdtemp(join(tmpdir(), "edgeproof-init-"));
  const before = process.cwd();
  try {
    await writeFile(join(project, "world.json"), JSON.stringify(worldOf([key])));
    await writeFile(join(project, "jwks.json"), JSON.stringify({ keys: [key] }));
    process.chdir(project);
    await run(["init", "--json"]);
    const names = (await readdir(project, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of names)
      if (!["world.json", "jwks.json"].includes(name))
        expect([name, leaksIn(await readFile(join(parentPath, name), "utf8"))]).toEqual([name, []]);
    expect(names.length).toBeGreaterThan(2);
  } finally {
    process.chdir(before);
    await rm(project, { recursive: true, force: true });
  }
});
