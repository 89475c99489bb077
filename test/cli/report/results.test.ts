/** The reports of `check`, `lint` and `eval` from real files, in every format. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { describe, expect, test } from "vitest";
import { sarifLog } from "../../../src/cli/output/schemas/sarif.ts";
import { temporaryFolder } from "../../store/open.ts";
import { edgeproof } from "../../support/cli.ts";

const folder = await temporaryFolder();
const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256");
const valid = `is_jwt_valid("${id}")`;
const hostile = "x ]]> `|` <script>\n::error::y";

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content, null, 2));
  return path;
}

function rule(expression: string, title: string) {
  return { title, action: "block", expression, selector: { include: [{ host: ["api.example.com"] }] } };
}

function worldOf(rules: readonly object[]) {
  const token_sources = ['http.request.headers["authorization"][0]'];
  const configs = [{ id, title: "issuer", token_sources, credentials: { keys: [jwk] } }];
  const zone = { id: "z1", name: "example.com", account_id: "a1", token_validation: { configs, rules } };
  return { accounts: [{ id: "a1" }], zones: [zone] };
}

async function sarifOf(words: readonly string[]) {
  const { out } = await edgeproof([...words, "--format", "sarif"]);
  return sarifLog.parse(JSON.parse(out)).runs[0];
}

async function caseNames(words: readonly string[]): Promise<readonly string[]> {
  const { out } = await edgeproof([...words, "--format", "junit"]);
  return [...out.matchAll(/<testcase classname="[^"]*" name="([^"]*)"/g)].map(([, name = ""]) => name);
}

describe("check", () => {
  test("has a case for each configuration and rule, with the same name whether it passes or not", async () => {
    const good = await file("good.json", worldOf([rule(valid, "Enforce"), rule(valid, hostile)]));
    const bad = await file(
      "bad.json",
      worldOf([rule(`${valid} or not ${valid}`, "Enforce"), rule("", hostile)]),
    );
    const names = await caseNames(["check", good]);
    expect(names).toEqual([
      `configuration \`issuer\` (\`${id}\`)`,
      "rule `Enforce`",
      "rule `x ]]&gt; `|` &lt;script&gt;\\n::error::y`",
      "other parts",
    ]);
    expect(await caseNames(["check", bad])).toEqual(names);
  });

  test("the region of a finding is the member that it is about", async () => {
    const expression = `${valid} or not ${valid}`;
    const path = await file("true.json", worldOf([rule(expression, "Enforce")]));
    const { results } = await sarifOf(["check", path]);
    const found = results.find(({ ruleId }) => ruleId === "always-true");
    const { region } = found!.locations[0].physicalLocation;
    expect(region.endLine).toBe(region.startLine);
    expect(region.endColumn! - region.startColumn).toBe(JSON.stringify(expression).length);
  });

  test("the fingerprint of a finding survives a new rule before it", async () => {
    const odd = rule(`${valid} or not ${valid}`, "Odd");
    const path = await file("moved.json", worldOf([odd]));
    const [before] = (await sarifOf(["check", path])).results;
    await file("moved.json", worldOf([rule(valid, "New"), odd]));
    const after = (await sarifOf(["check", path])).results.find(({ ruleId }) => ruleId === before!.ruleId);
    expect(after?.partialFingerprints).toEqual(before?.partialFingerprints);
    expect(after?.locations[0].physicalLocation.region).not.toEqual(
      before?.locations[0].physicalLocation.region,
    );
  });
});

describe("lint", () => {
  test("has a case for each application, named by its host and protocol", async () => {
    const app = {
      protocol: "tcp/22",
      dns: { type: "CNAME", name: "ssh.example.com" },
      origin_direct: ["tcp://192.0.2.1:22"],
    };
    const path = await file("apps.json", [app, { ...app, tls: "odd" }, 5, { dns: { name: hostile } }]);
    expect(await caseNames(["lint", path])).toEqual([
      "application ssh.example.com tcp/22",
      "application ssh.example.com tcp/22 (2)",
      "application /2",
      "application x ]]&gt; `|` &lt;script&gt; ::error::y",
    ]);
    const { out } = await edgeproof(["lint", path, "--format", "junit"]);
    expect(out).toMatch(/<testsuites name="edgeproof check" tests="4" failures="3" errors="0" skipped="0"/);
    expect(out).toMatch(/<system-out>\d+ checks not evaluated, for lack of /);
  });
});

describe("eval", () => {
  test("has a case for each request, and a finding for each unexpected verdict", async () => {
    const world = await file("world.json", worldOf([rule(valid, "Enforce")]));
    const url = "https://api.example.com/";
    const requests = await file("requests.json", [
      { url, expect: "block" },
      { url, name: hostile, expect: "allow" },
    ]);
    const words = ["eval", "--world", world, "--requests", requests];
    expect(await caseNames(words)).toEqual([`GET ${url}`, "x ]]&gt; `|` &lt;script&gt; ::error::y"]);
    const { results, tool } = await sarifOf(words);
    expect(results).toHaveLength(1);
    expect(tool.driver.rules[results[0]!.ruleIndex]?.id).toBe("unexpected-verdict");
    expect(results[0]?.message.text).toMatch(/^expected allow, got block\nBLOCK/);
    expect(results[0]?.locations[0].logicalLocations[0].fullyQualifiedName).toBe("/1");
    expect((await edgeproof([...words, "--format", "github"])).err).toBe("");
  });

  test("--json is --format json, and an unknown format is rejected", async () => {
    const world = await file("world.json", worldOf([]));
    const words = [
      "eval",
      "--world",
      world,
      "--requests",
      await file("r.json", { url: "https://example.com/" }),
    ];
    const [short, long] = [
      await edgeproof([...words, "--json"]),
      await edgeproof([...words, "--format", "json"]),
    ];
    expect(short.out).toBe(long.out);
    expect(await edgeproof([...words, "--format", "junitt"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/did you mean `junit`/),
    });
  });
});
