/** Suites that the playground generates: those that `edgeproof suite generate` writes. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing/tokens";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { playgroundEndpoints } from "../../../src/workbench/playground/endpoints.ts";
import { rulesEdge } from "../../../src/workbench/playground/rules-edge.ts";
import type { SuiteFile } from "../../../src/workbench/playground-messages.ts";
import { edgeproof } from "../../support/cli.ts";
import { askEngines } from "../../support/playground.ts";

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256", "key-1");
const token_validation = {
  configs: [
    {
      id,
      title: "Users",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [jwk] },
    },
  ],
  rules: [
    {
      id: "a6a09b5d-9ee1-4d2a-b2d9-5a4f10b1f2a0",
      title: "Guard",
      action: "block",
      expression: `is_jwt_valid("${id}") or http.request.method eq "GET"`,
      selector: { include: [{ host: ["api.example.com"] }] },
    },
  ],
};
const rulesets = [
  {
    kind: "zone",
    phase: "http_request_firewall_custom",
    rules: [{ action: "block", expression: "ip.src in {192.0.2.0/24}" }],
  },
];
const world = `// The rules.\n${JSON.stringify({
  zones: [
    { id: "z1", name: "example.com", token_validation, rulesets },
    { id: "z2", name: "empty.example", token_validation: {} },
  ],
})}`;
const ask = (choice: object, text = world) =>
  askEngines<SuiteFile>(text, "suite", { zone: "z1", format: "json", operations: "each", ...choice });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-playground-suite-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(["json", "vitest", "jest", "node"])("as %s", (format) => {
  test.each(["each", "classes"])("for %s, is the file of the command line", async (operations) => {
    const { result } = await ask({ format, operations });
    const path = join(folder, "world.json");
    await writeFile(path, result.world ?? JSON.stringify(JSON.parse(world.replace(/.*\n/, ""))));
    const out = join(folder, result.name);
    const choice = ["--format", format, "--operations", operations, "--zone", "z1", "--out", out];
    const { code, err } = await edgeproof(["suite", "generate", "--world", path, ...choice]);
    // The command that writes the file again has the paths of the files.
    const text = (await readFile(out, "utf8")).replaceAll(`${folder}/`, "");
    expect({ code, text }).toEqual({ code: 0, text: result.text });
    for (const line of result.summary) expect(err).toContain(line);
  });
});

test("a zone without rules is an error with a sentence, not an empty file", async () => {
  await expect(ask({ zone: "z2" })).rejects.toThrow(/empty\.example has no rules to generate requests for/);
});

test("the rules of one zone have a suite, and no test file, which would read a world", async () => {
  const plain = JSON.stringify({ rulesets });
  const { result } = await ask({ zone: "playground" }, plain);
  expect(JSON.parse(result.text)).toContainEqual(
    expect.objectContaining({ zone: "playground", ip: expect.stringMatching(/^192\.0\.2\./) }),
  );
  await expect(ask({ zone: "playground", format: "vitest" }, plain)).rejects.toThrow(/choose JSON/);
});

test("a choice that does not exist is rejected", async () => {
  await expect(ask({ format: "mocha" })).rejects.toThrow(/`format` must be/);
  await expect(ask({ operations: "some" })).rejects.toThrow(/`operations`/);
});

test("progress is reported while mutants are covered", async () => {
  const seen: [number, number][] = [];
  const edge = rulesEdge(
    world,
    () => {},
    (done, all) => seen.push([done, all]),
  );
  const body = { zone: "z1", format: "json", operations: "each" };
  const request = new Request("https://page.invalid/");
  await playgroundEndpoints["suite"]?.handle({ edge, query: {}, body, request });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every(([done, all]) => done <= all)).toBe(true);
});
