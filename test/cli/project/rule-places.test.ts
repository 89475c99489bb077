/** Findings of a plan name the rule, and are at its expression in the sources. */
import { beforeAll, describe, expect, test } from "vitest";
import { zone } from "../../import/terraform/documents.ts";
import { type ProjectFolder, projectFolder } from "./folder.ts";

const never = 'http.request.method eq "post"';
const valid = 'http.request.uri.path eq "/a"';

/** A plan with a ruleset. @param address of the resource */
function plan(rules: readonly object[], address = "cloudflare_ruleset.waf", unknown: object = {}) {
  const changeOf = (after: object, after_unknown: object) => ({
    change: { actions: ["create"], before: null, after, after_unknown, after_sensitive: {} },
  });
  const named = { name: "default", kind: "zone", phase: "http_request_firewall_custom" };
  return {
    format_version: "1.2",
    terraform_version: "1.13.3",
    planned_values: {},
    resource_changes: [
      {
        address: "cloudflare_zone.main",
        mode: "managed",
        type: "cloudflare_zone",
        name: "main",
        ...changeOf(zone, {}),
      },
      {
        address,
        mode: "managed",
        type: "cloudflare_ruleset",
        name: address.split(".").at(-1),
        ...changeOf({ zone_id: zone.id, ...named, rules }, unknown),
      },
    ],
  };
}

const block = (expression: string, more: object = {}) => ({
  action: "block",
  expression,
  enabled: true,
  ...more,
});

interface Found {
  readonly id: string;
  readonly rule: string;
  readonly file: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly pointer?: string;
  readonly part?: string;
}

let folder: ProjectFolder;
beforeAll(async () => {
  folder = await projectFolder();
});

async function findingsOf(name: string, tf: string | undefined, document: object): Promise<readonly Found[]> {
  await folder.write({
    [`${name}/plan.json`]: document,
    ...(tf !== undefined && { [`${name}/main.tf`]: tf }),
  });
  const { out } = await folder.run(["check", `${name}/plan.json`, "--json"]);
  return JSON.parse(out).diagnostics;
}

const placesOf = (found: readonly Found[], rule = "method-format") =>
  found
    .filter((finding) => finding.rule === rule)
    .map(({ file, start, part }) => `${file.split("/").at(-1)}:${start.line}:${start.column} ${part}`);

describe("the name of a rule", () => {
  test.each([
    ["its reference", { ref: "login", description: "Login" }, "rule `login`"],
    ["its description", { description: "Login" }, "rule `Login`"],
    [
      "its description, when the service gave the reference",
      { ref: "0".repeat(32), description: "x" },
      "rule `x`",
    ],
    ["its number, when another rule has its description", { description: "same" }, "rule 2 of 3"],
    ["its number", {}, "rule 2 of 3"],
  ])("is %s", async (_, more, part) => {
    const rules = [
      block(valid, { description: "same" }),
      block(never, more),
      block('http.host eq "c.example"'),
    ];
    const found = await findingsOf("names", undefined, plan(rules));
    expect(placesOf(found)).toEqual([`plan.json:1:1 ${part}`]);
  });

  test("is in every format, with the address of the module and its key", async () => {
    const address = "module.waf[0].cloudflare_ruleset.waf";
    await findingsOf("formats", undefined, plan([block(never, { description: "d" })], address));
    const name = `${address}, rule \`d\``;
    const missing: string[] = [];
    for (const format of ["text", "sarif", "junit", "github", "gitlab", "markdown"]) {
      const { out } = await folder.run(["check", "formats/plan.json", "--format", format]);
      if (!out.replaceAll("\\", "").includes(name)) missing.push(format);
    }
    expect(missing).toEqual([]);
  });
});

const head = 'resource "cloudflare_ruleset" "waf" {\n  zone_id = var.zone_id\n';

describe("the place of a rule in the sources", () => {
  const rules = [block(valid), block(never)];
  test.each([
    [
      "is its expression in a list",
      `${head}  rules = [{\n    expression = "x"\n  }, {\n    # }\n    action = "block"\n    expression = "y"\n  }]\n}\n`,
      rules,
      "8:5",
    ],
    [
      "is its expression in a block",
      `${head}  rules {\n    expression = "x"\n  }\n  rules {\n    expression = <<-EOT\n      y\n    EOT\n  }\n}\n`,
      rules,
      "7:5",
    ],
    ["is its block, when it has no expression", `${head}  rules {\n  }\n\n  rules {\n  }\n}\n`, rules, "6:3"],
    [
      "is the attribute that computes the rules",
      `${head}  rules = [for p in local.paths : { expression = p }]\n}\n`,
      rules,
      "3:3",
    ],
    [
      "is the block that makes the rules",
      `${head}  dynamic "rules" {\n    for_each = local.paths\n    content {}\n  }\n}\n`,
      rules,
      "3:3",
    ],
    ["is the resource, when it has no rules", `# comment\n${head}}\n`, rules, "2:1"],
  ])("%s", async (_, tf, given, place) => {
    const found = await findingsOf("places", tf, plan(given));
    expect(placesOf(found)).toEqual([`main.tf:${place} rule 2 of 2`]);
  });

  test("is in the folder of the module", async () => {
    await folder.write({
      "modules/modules/waf/main.tf": `resource "cloudflare_ruleset" "waf" {\n  count = 1\n  rules = [\n    { expression = "x" },\n  ]\n}\n`,
    });
    const found = await findingsOf(
      "modules",
      'module "waf" {\n  count = 1\n  source = "./modules/waf"\n}\n',
      plan([block(never, { description: "d" })], "module.waf[0].cloudflare_ruleset.waf"),
    );
    expect(placesOf(found)).toEqual(["main.tf:4:7 rule `d`"]);
    expect(found[0]?.file).toContain("modules/waf");
  });

  test("does not change the ids of findings", async () => {
    const tf = `${head}  rules = [{ expression = "x" }, { expression = "y" }]\n}\n`;
    const ids = async (source: string | undefined) =>
      (await findingsOf(source === undefined ? "without" : "with", source, plan(rules))).map(({ id }) => id);
    expect(await ids(tf)).toEqual(await ids(undefined));
  });
});

describe("findings for people", () => {
  test("equal notes of several rules are one, with the places and ids of all", async () => {
    const star = (path: string) => block(`http.request.uri.path in {"/" "${path}*"}`);
    await findingsOf("notes", undefined, plan([star("/a"), star("/a"), block(valid)]));
    const { out } = await folder.run(["check", "notes/plan.json"]);
    const notes = out.split("\n").filter((line) => / note (?!undecided)/.test(line));
    const also = out.split("\n").filter((line) => line.startsWith("  also: "));
    expect(notes).toHaveLength(1);
    expect(also).toEqual([
      expect.stringMatching(
        /^ {2}also: notes\/plan\.json:1:1 at cloudflare_ruleset\.waf, rule 2 of 3 \[[0-9a-f]{16}:1\]$/,
      ),
    ]);
    const { out: json } = await folder.run(["check", "notes/plan.json", "--json"]);
    expect(
      JSON.parse(json).diagnostics.filter(({ level }: { level: string }) => level === "note"),
    ).toHaveLength(2);
  });

  test("a fix is said to be applied only where --fix changes the file", async () => {
    const found = await findingsOf("fixes", undefined, plan([block(never)]));
    expect(found.some((finding) => Object.hasOwn(finding, "fix"))).toBe(true);
    expect((await folder.run(["check", "fixes/plan.json"])).out).not.toContain("applied by --fix");
  });
});

describe("a comment that accepts", () => {
  const accept = "# edgeproof-accept method-format: known";
  const other = "# edgeproof-accept never-matches: known";
  const both = (indent: string) => `${indent}${accept}\n${indent}${other}\n`;
  const first = '    {\n      expression = "x"\n    },\n';
  const second = (comment: string) =>
    `    {\n${comment}      description = "d"\n      expression = "y"\n    },\n`;
  const source = (above: string, inside: string, inRule: string) =>
    `${above}resource "cloudflare_ruleset" "waf" {\n${inside}  for_each = toset(["a"])\n  rules = [\n${first}${second(inRule)}  ]\n}\n`;
  const document = plan([block(valid), block(never)], 'cloudflare_ruleset.waf["a"]');

  test.each([
    ["above the resource", source(both(""), "", "")],
    ["in the resource, before for_each", source("", both("  "), "")],
    ["in the rule", source("", "", both("      "))],
  ])("%s accepts the findings of the rule", async (_, tf) => {
    expect(await findingsOf("accepted", tf, document)).toEqual([]);
  });

  test("in another rule does not accept them", async () => {
    const tf = source("", "", "").replace(
      '      expression = "x"',
      `${both("      ")}      expression = "x"`,
    );
    const found = await findingsOf("accepted", tf, document);
    expect(found.map(({ rule }) => rule).toSorted()).toEqual([
      "method-format",
      "never-matches",
      "unused-acceptance",
      "unused-acceptance",
    ]);
  });
});
