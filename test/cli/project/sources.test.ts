/** `check` of Terraform's sources without a plan: files, folders, values of variables, and what is beside them. */
import { beforeAll, describe, expect, test } from "vitest";
import { planFile } from "../../import/terraform/documents.ts";
import { type ProjectFolder, projectFolder } from "./folder.ts";

let folder: ProjectFolder;
beforeAll(async () => {
  folder = await projectFolder();
});

const zone = 'resource "cloudflare_zone" "main" {\n  name = "example.com"\n  account = { id = "a1" }\n}\n';
const rules = (expression: string, comment = "") => `resource "cloudflare_ruleset" "waf" {
  zone_id = cloudflare_zone.main.id
  name    = "default"
  kind    = "zone"
  phase   = "http_request_firewall_custom"
  rules = [
    { action = "block", expression = "ssl" },
    {
      ${comment}
      action     = "block"
      expression = ${expression}
    },
  ]
}
`;
const never = '"http.request.method eq \\"post\\""';

async function check(...words: readonly string[]) {
  const { code, out, err } = await folder.run(["check", ...words, "--json"]);
  const { diagnostics = [] } = out.startsWith("{") ? JSON.parse(out) : {};
  const found = diagnostics.map(
    ({
      rule,
      file,
      start,
      pointer,
      part,
    }: Record<string, string> & { start: { line: number; column: number } }) =>
      `${rule} ${file}:${start.line}:${start.column} ${[pointer, part].filter(Boolean).join(", ")}`,
  );
  return { code, found, err };
}

const isUndecided = (found: string) => found.startsWith("undecided ");

test("findings are at the expression in the file, with the resource and the rule", async () => {
  await folder.write({ "one/zone.tf": zone, "one/rules.tf": rules(never) });
  const { code, found } = await check("one/rules.tf", "one/zone.tf");
  expect([code, found]).toEqual([
    1,
    [
      "never-matches one/rules.tf:11:7 cloudflare_ruleset.waf, rule 2 of 2",
      "method-format one/rules.tf:11:7 cloudflare_ruleset.waf, rule 2 of 2",
    ],
  ]);
  expect((await check("one")).found).toEqual(found);
});

test("valid literals are exit code 0, and an unknown expression is undecided with the command for a plan", async () => {
  await folder.write({ "two/main.tf": zone + rules('"http.request.method eq \\"POST\\""') });
  expect(await check("two")).toMatchObject({ code: 0, found: [] });
  await folder.write({ "two/main.tf": zone + rules("var.expression") });
  const { code, out } = await folder.run(["check", "two"]);
  expect(code).toBe(1);
  expect(out).toContain("two/main.tf:12:5: note unknown-rule at cloudflare_ruleset.waf, rule 2 of 2\n");
  expect(out).toContain("`expression` is not known; computed from `var.expression`");
  expect(out).toContain("  run: terraform plan -out plan.bin && terraform show -json plan.bin > plan.json");
  expect((await folder.run(["check", "two", "--partial"])).code).toBe(0);
});

test("an unknown expression is undecided also when only operations are checked, not when other areas are", async () => {
  const openapi = { openapi: "3.1.0", info: { title: "API", version: "1" }, paths: {} };
  await folder.write({
    "only/main.tf": zone + rules("var.expression"),
    "api/openapi.json": JSON.stringify(openapi),
  });
  const { code, out } = await folder.run([
    "check",
    "only",
    "--only",
    "openapi",
    "--openapi",
    "api/openapi.json",
  ]);
  expect([code, out.match(/A custom rule is undecided/g)?.length]).toEqual([1, 1]);
  expect((await folder.run(["check", "only", "--only", "proxy"])).out).not.toContain(
    "A custom rule is undecided",
  );
});

test("values of variables beside the sources are read, and those that are named come last", async () => {
  await folder.write({
    "vars/main.tf": `${zone}variable "e" {\n  default = "ssl"\n}\n${rules("var.e")}`,
    "vars/terraform.tfvars": `e = ${never}\n`,
    "vars/prod.tfvars": 'e = "not ssl"\n',
  });
  const rulesOf = (found: readonly string[]) => found.map((line) => line.split(" ")[0]);
  expect(rulesOf((await check("vars")).found)).toContain("method-format");
  expect(rulesOf((await check("vars/main.tf")).found)).toContain("method-format");
  expect(rulesOf((await check("vars/main.tf", "vars/prod.tfvars")).found)).not.toContain("method-format");
});

test("`world from` reads values of variables beside the sources, once, as `check` does", async () => {
  await folder.write({
    "values/main.tf": `${zone}${rules("var.e")}`,
    "values/variables.tf": 'variable "e" {}\n',
    "values/terraform.tfvars": 'e = "ssl"\n',
  });
  const files = ["values/main.tf", "values/variables.tf"];
  const { code, out, err } = await folder.run(["world", "from", ...files]);
  expect([code, JSON.parse(out).zones[0].rulesets[0].rules[1].expression]).toEqual([0, "ssl"]);
  expect(err.match(/terraform\.tfvars \(/g)).toHaveLength(1);
  expect((await folder.run(["check", ...files])).err.match(/terraform\.tfvars:/g)).toHaveLength(1);
  expect((await folder.run(["world", "from", "values"])).out).toBe(out);
});

test("a comment in a rule accepts its findings", async () => {
  const comment = (rule: string) => `# edgeproof-accept ${rule}: known\n      `;
  await folder.write({
    "accepted/main.tf": zone + rules(never, comment("never-matches") + comment("method-format")),
  });
  expect(await check("accepted")).toMatchObject({ code: 0, found: [] });
});

describe("beside other files", () => {
  const plan = planFile([["cloudflare_zone", "main", { id: "0".repeat(32), name: "example.com" }]]).text;

  test("the sources of a plan are not read", async () => {
    await folder.write({ "both/main.tf": zone + rules("var.e"), "both/plan.json": plan });
    const named = await check("both/main.tf", "both/plan.json", "--allow-empty");
    expect(named.err).toContain("both/main.tf: not read; the plan or state has its resources");
    expect(named.found.filter(isUndecided)).toEqual([]);
    expect((await check("both", "--allow-empty")).found.filter(isUndecided)).toEqual([]);
  });

  test("a folder in a folder with sources is a module of them", async () => {
    await folder.write({ "nested/main.tf": zone, "nested/modules/waf/main.tf": rules("var.e") });
    const { found, err } = await check("nested", "--allow-empty");
    expect(found.filter(isUndecided)).toEqual([]);
    expect(err).toContain(
      "nested: 1 file read, 0 other files not recognized, 1 file of modules in it not read\n",
    );
  });

  test("the sources of several folders are exit code 2", async () => {
    await folder.write({ "envs/dev/main.tf": zone, "envs/prod/main.tf": zone });
    expect(await check("envs")).toMatchObject({
      code: 2,
      err: expect.stringContaining("the sources are of 2 modules of Terraform (envs/dev, envs/prod)"),
    });
  });
});

test("a fault is exit code 2 with its line and column", async () => {
  await folder.write({ "fault/main.tf": `${zone}locals {\n  a = [\n}\n` });
  expect(await check("fault/main.tf")).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      "fault/main.tf:7:1: This is not Terraform's language: `]` is expected; found `}`.",
    ),
  });
});

test("standard input can be sources", async () => {
  const { out } = await folder.run(["check", "-", "--json"], ".", zone + rules(never));
  expect(JSON.parse(out).diagnostics[0]).toMatchObject({
    rule: "never-matches",
    file: "-",
    start: { line: 15 },
  });
});

describe("init", () => {
  const method = (name: string) => rules(`"http.request.method eq \\"${name}\\""`);
  const bucket = 'resource "aws_s3_bucket" "b" {\n  bucket = "b"\n}\n';

  test("of sources alone: a world for each folder with resources, whose commands run", async () => {
    const own = await projectFolder();
    await own.write({
      "prod/main.tf": zone,
      "prod/rules.tf": method("POST"),
      "prod/modules/rules/main.tf": method("PUT"),
      "test/main.tf": `variable "e" {}\n${zone}${rules("var.e")}`,
      "test/terraform.tfvars": `e = ${never}\n`,
      "storage/main.tf": bucket,
    });
    const { code, out } = await own.run(["init"]);
    expect([code, out.split("\n").filter((line) => line.startsWith("found"))]).toEqual([
      0,
      ["found prod/*.tf: Terraform sources: world prod", "found test/*.tf: Terraform sources: world test"],
    ]);
    const findings = await own.run(["check"]);
    expect([findings.code, findings.out]).toEqual([1, expect.stringContaining("test/main.tf:")]);
    expect(await own.run(["check", "prod"])).toMatchObject({ code: 0 });
  });

  test("of sources in a folder whose own sources have no resource of the edge makes a world of each", async () => {
    const own = await projectFolder();
    await own.write({
      "versions.tf": "terraform {}\n",
      "prod/main.tf": zone + method("POST"),
      "test/main.tf": zone + method("PUT"),
    });
    expect(await own.run(["init"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^found prod\/\*\.tf: .*\nfound test\/\*\.tf: /),
    });
  });

  test("of one folder of sources writes a suite that is green", async () => {
    const own = await projectFolder();
    await own.write({ "main.tf": zone + method("POST") });
    const { code, out } = await own.run(["init"]);
    expect([code, out]).toEqual([0, expect.stringContaining("wrote edgeproof/suite.json")]);
    expect((await own.run(["eval"])).code).toBe(0);
    expect((await own.run(["check"])).code).toBe(0);
  });

  test("of sources with an unknown expression names what prints why there is no suite", async () => {
    const own = await projectFolder();
    await own.write({ "main.tf": `variable "e" {}\n${zone}${rules("var.e")}` });
    const { code, out } = await own.run(["init"]);
    expect([code, out.split("\n").slice(-4)]).toEqual([
      0,
      [
        "wrote no suite: its answers would depend on what is undecided",
        "next: npx edgeproof check",
        "next: npx edgeproof suite generate --format json",
        "",
      ],
    ]);
    expect(await own.run(["suite", "generate", "--format", "json"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("--partial continues without it"),
    });
    const { code: worldCode, err } = await own.run(["world", "from"]);
    expect([worldCode, err]).toEqual([
      1,
      expect.stringContaining("accepted from main.tf (Terraform sources)"),
    ]);
    const missing = await own.run(["eval"]);
    expect([missing.code, missing.err]).toEqual([
      2,
      "edgeproof: --requests is missing; it must name a file of requests (`npx edgeproof suite generate --format json` prints one), or be `-` for standard input; or pass the address of one request\n",
    ]);
  });

  test("sources beside a plan, and those without a resource of the edge, make no world", async () => {
    const own = await projectFolder();
    await own.write({
      "main.tf": zone + method("POST"),
      "ci/plan.json": planFile([["cloudflare_zone", "main", { id: "0".repeat(32), name: "example.com" }]])
        .text,
    });
    expect((await own.run(["init"])).out).toContain(
      "found *.tf: Terraform sources: not used: a plan, a state or saved responses have their values",
    );
    const other = await projectFolder();
    await other.write({ "main.tf": bucket });
    expect(await other.run(["init"])).toMatchObject({
      code: 1,
      out: expect.stringContaining("found no Terraform"),
    });
  });
});
