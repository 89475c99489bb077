/** `edgeproof init`: what it finds, what it writes, and that nothing is overwritten. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  config,
  entry,
  operation,
  planFile,
  rule,
  stateFile,
  zone,
} from "../../import/terraform/documents.ts";
import { projectFolder, worldWith } from "./folder.ts";

const har = {
  log: {
    version: "1.2",
    creator: { name: "test", version: "1" },
    entries: [
      {
        startedDateTime: "2026-01-01T00:00:00Z",
        request: { method: "GET", url: "https://api.example.com/v1/orders", headers: [], cookies: [] },
        response: { status: 200, headers: [] },
      },
    ],
  },
};
const openapi =
  "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://api.example.com'}]\npaths:\n  /v1/orders:\n    get: {operationId: list, security: [{b: []}], responses: {'200': {description: ok}}}\ncomponents: {securitySchemes: {b: {type: http, scheme: bearer}}}\n";
const resources = [
  entry("zone", "main", zone),
  entry("config", "web", config),
  entry("rule", "enforce", rule),
];

describe("init", () => {
  test("a state, a document and a recording: the commands that it names run without options", async () => {
    const folder = await projectFolder();
    await folder.write({
      "infra/state.json": stateFile(...resources).text,
      "api/openapi.yaml": openapi,
      "traffic.har": har,
      "package.json": { name: "x", repository: { url: "https://example.com" } },
    });
    const { code, out, err } = await folder.run(["init", "--json"]);
    const result = JSON.parse(out);
    expect([code, err]).toEqual([0, ""]);
    const validate = new Ajv2020().compile(JSON.parse(readFileSync("schemas/cli/init.schema.json", "utf8")));
    expect(validate(result), JSON.stringify(validate.errors)).toBe(true);
    expect(result.found.map((entry: { file: string; use: string }) => [entry.file, entry.use])).toEqual([
      ["traffic.har", "replayed by `replay`"],
      ["api/openapi.yaml", "compared by `check`"],
      ["infra/state.json", "world infra"],
    ]);
    expect(result.written).toEqual(["edgeproof/suite.json", "edgeproof.config.yaml"]);
    expect(result.next).toEqual([
      "npx edgeproof check",
      "npx edgeproof eval",
      "npx edgeproof replay --allow-empty",
    ]);
    const checked = await folder.run(["check"]);
    expect([checked.code, checked.err]).toEqual([
      expect.any(Number),
      expect.stringContaining("Terraform state"),
    ]);
    expect(checked.code).toBeLessThan(2);
    expect((await folder.run(["eval"])).code).toBe(0);
    expect(await folder.run(["replay", "--allow-empty"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("verdicts: 0 allow, 0 log, 1 block"),
    });
    const assumed = await folder.run(["replay", "--as", "valid"]);
    expect([assumed.code, assumed.err]).toEqual([
      1,
      expect.stringContaining(
        "left out: the token of --as: no request of the recording has a redacted or stripped token; 1 request really had none",
      ),
    ]);
    expect(assumed.err).toContain(
      "Nothing was compared: there is 1 verdict, but nothing that it should be equal to. The recording has no answers of the edge; set --against",
    );
  });

  test("from a state, a document and a recording to a red, and then a green pipeline with an accepted finding", async () => {
    const folder = await projectFolder();
    const stateOf = (expression: string) =>
      stateFile(
        entry("zone", "main", zone),
        entry("config", "web", config),
        entry("operation", "orders", { ...operation, method: "GET" }),
        entry("operation", "add", {
          ...operation,
          id: "b9c5615e-fe15-48ce-bec6-cfc1946f1bec",
          method: "POST",
        }),
        entry("rule", "enforce", { ...rule, expression }),
      ).text;
    const operations = (method: string) =>
      `    ${method}: {operationId: ${method}, security: [{b: []}, {k: []}], responses: {'200': {description: ok}}}\n`;
    const schemes = "{b: {type: http, scheme: bearer}, k: {type: apiKey, name: api_key, in: header}}";
    await folder.write({
      "infra/state.json": stateOf(`(${rule.expression} or http.request.method eq "POST")`),
      "api/openapi.yaml": `openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://api.example.com'}]\npaths:\n  /v1/orders:\n${operations("get")}${operations("post")}components: {securitySchemes: ${schemes}}\n`,
      "traffic.har": har,
    });
    expect((await folder.run(["init"])).code).toBe(0);
    const red = await folder.run(["check", "--json"]);
    const found: readonly { readonly id: string; readonly rule: string }[] = JSON.parse(red.out).diagnostics;
    expect([red.code, found.map((finding) => finding.rule)]).toEqual([1, ["unprotected", "scheme-not-read"]]);
    const written = await readFile(join(folder.path, "edgeproof.config.yaml"), "utf8");
    await folder.write({
      "edgeproof.config.yaml": `${written}accepted:\n  - id: ${found[1]!.id}\n    reason: The service checks the key.\n`,
    });
    expect((await folder.run(["check"])).code).toBe(1);
    await folder.write({ "infra/state.json": stateOf(rule.expression) });
    const green = await folder.run(["check"]);
    expect([green.code, green.out]).toEqual([
      0,
      expect.stringContaining("0 errors, 0 warnings, 0 notes, 1 accepted"),
    ]);
    // The suite was written for the rule as it was.
    expect((await folder.run(["eval"])).code).toBe(1);
    const suite = await folder.run(["suite", "generate", "--format", "json"]);
    await folder.write({ "edgeproof/suite.json": suite.out });
    expect((await folder.run(["eval"])).code).toBe(0);
  });

  test("a document is not compared with a world without token rules, which is what its line says", async () => {
    const folder = await projectFolder();
    await folder.write({
      "state.json": stateFile(entry("zone", "main", zone)).text,
      "openapi.yaml": openapi,
    });
    expect((await folder.run(["init"])).out).toContain(
      "one zone that has token rules: choose with --openapi and --zone",
    );
  });

  test("nothing is overwritten", async () => {
    const folder = await projectFolder();
    await folder.write({ "world.json": worldWith(), "edgeproof/suite.json": "not json" });
    expect((await folder.run(["init"])).code).toBe(0);
    expect(await readFile(join(folder.path, "edgeproof/suite.json"), "utf8")).toBe("not json");
    const written = await readFile(join(folder.path, "edgeproof.config.yaml"), "utf8");
    expect(written).toContain("worlds:\n  world: world.json\n");
    for (const inner of [".", "edgeproof"])
      expect(await folder.run(["init"], inner)).toMatchObject({
        code: 2,
        err: expect.stringContaining("exists"),
      });
    expect(await readFile(join(folder.path, "edgeproof.config.yaml"), "utf8")).toBe(written);
  });

  test("a plan and a state of one folder are one world; a file that no command can read is named", async () => {
    const folder = await projectFolder();
    await folder.write({
      "a/plan.json": planFile(resources).text,
      "a/state.json": stateFile(...resources).text,
      "b/broken.json": { format_version: "9.9", values: {} },
    });
    const { code, out } = await folder.run(["init"]);
    expect(code).toBe(0);
    expect(out).toContain("found a/plan.json: Terraform plan: world a");
    expect(out).toContain("found a/state.json: Terraform state: not used: another form");
    expect(out).toMatch(/found b\/broken.json: .*not used: .*format_version/);
  });

  test("an empty folder: exit code 1, and no file", async () => {
    const folder = await projectFolder();
    const { code, out } = await folder.run(["init"]);
    expect([code, out]).toEqual([1, expect.stringContaining("found no Terraform")]);
    expect(await folder.run(["config", "print"])).toMatchObject({ code: 1 });
  });
});
