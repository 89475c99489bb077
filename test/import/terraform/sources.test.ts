/** Terraform's sources without a plan: what is not a literal is named, and never guessed. */
import { type ImportFile, type ImportOptions, worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";

const zone = 'resource "cloudflare_zone" "main" {\n  name = "example.com"\n  account = { id = "a1" }\n}\n';

/** A ruleset with the members of its only rule. */
const ruleset = (rule: string, more = "") => `resource "cloudflare_ruleset" "waf" {
  zone_id = cloudflare_zone.main.id
  name = "default"
  kind = "zone"
  phase = "http_request_firewall_custom"
  ${more}
  rules = [{
    action = "block"
    ${rule}
  }]
}
`;

function read(texts: string | Readonly<Record<string, string>>, options: ImportOptions = {}) {
  const files = typeof texts === "string" ? { "main.tf": texts } : texts;
  const given = Object.entries(files).map(([name, text]): ImportFile => ({ name, text }));
  return worldFrom(given, options);
}

const rulesOf = ({ world }: ReturnType<typeof read>) =>
  world.zones?.flatMap(({ rulesets = [] }) => rulesets.flatMap(({ rules }) => rules));

const undecidedOf = ({ report }: ReturnType<typeof read>) =>
  report.undecided.map(
    ({ message, at }) => `${at.file}:${at.start.line}:${at.start.column} ${at.pointer}: ${message}`,
  );

describe("values", () => {
  const descriptionOf = (definitions: string, expression: string) => {
    const found = read(zone + definitions + ruleset(`expression = "ssl"\n    description = ${expression}`));
    return rulesOf(found)?.[0]?.description;
  };

  test.each([
    [
      "a member of a local object",
      'locals {\n  a = { "b c" = [1, { d = "x" }] }\n}\n',
      'local.a["b c"][1].d',
      "x",
    ],
    [
      "a chain of local values",
      `locals {\n  a = local.b\n  b = "\${local.c}!"\n  c = "x"\n}\n`,
      "local.a",
      "x!",
    ],
    [
      "a number and a boolean in a template",
      "locals {\n  n = 80\n  b = true\n}\n",
      `"\${local.n} \${local.b}"`,
      "80 true",
    ],
    ["a default of another type", 'variable "p" {\n  type = string\n  default = 80\n}\n', "var.p", "80"],
    ["a flush heredoc", "", `<<-EOT\n      a\n\n        b $\${c}\n    EOT\n`, `a\n\n  b \${c}\n`],
    ["a heredoc with CRLF after its mark", "", "<<EOT\r\na\nEOT\n", "a\n"],
    ["a template over several lines", 'locals {\n  a = "x"\n}\n', `"\${\n  local.a\n}"`, "x"],
    [
      "the id of a resource in a template",
      "",
      `"\${cloudflare_zone.main.id}"`,
      "0677a6eb7d0e4384913a829b1b318dea",
    ],
  ])("%s is read", (_, definitions, expression, value) => {
    expect(descriptionOf(definitions, expression)).toBe(value);
  });

  test.each([
    ["a function", "", 'format("%s", "x")', "`expression` is not known"],
    [
      "a local value that is computed",
      'locals {\n  a = lower("X")\n}\n',
      "local.a",
      "`expression` is not known",
    ],
    ["a local value that is not defined", "", "local.a", "computed from `local.a`"],
    [
      "a local value that is defined twice",
      'locals {\n  a = "x"\n}\nlocals {\n  a = "y"\n}\n',
      "local.a",
      "computed from `local.a`",
    ],
    [
      "a circle of local values",
      "locals {\n  a = local.b\n  b = local.a\n}\n",
      "local.a",
      "computed from `local.a`",
    ],
    ["a variable without a default", 'variable "a" {}\n', `"x \${var.a}"`, "computed from `var.a`"],
    ["a conditional", 'variable "a" {\n  default = true\n}\n', 'var.a ? "x" : "y"', "computed from `var.a`"],
    ["an index after a list", "", '["x"][0]', "`expression` is not known"],
    ["a directive", "", '"%{ if true }x%{ endif }"', "`expression` is not known"],
    [
      "a sensitive variable",
      'variable "a" {\n  default = "x"\n  sensitive = true\n}\n',
      "var.a",
      "is marked as sensitive",
    ],
  ])("%s is undecided, with its place and what it is computed from", (_, definitions, expression, reason) => {
    const found = read(zone + definitions + ruleset(`expression = ${expression}`));
    expect(undecidedOf(found)).toEqual([expect.stringContaining(reason)]);
    expect(undecidedOf(found)[0]).toContain("cloudflare_ruleset.waf");
    expect(found.report.undecided[0]?.run).toMatch(
      /^(?:terraform plan -out plan\.bin && terraform show -json|--with-secrets)/,
    );
    expect(rulesOf(found)?.[0]).not.toHaveProperty("expression");
  });

  test("a sensitive variable is read with the secrets", () => {
    const definition = 'variable "a" {\n  default = "ssl"\n  sensitive = true\n}\n';
    const found = read(zone + definition + ruleset("expression = var.a"), { withSecrets: true });
    expect(rulesOf(found)?.[0]?.expression).toBe("ssl");
  });

  test("files with values of variables take the place of defaults, the last one of the others", () => {
    const main = `${zone}variable "a" {\n  default = "x"\n}\n${ruleset("expression = var.a")}`;
    const files = {
      "main.tf": main,
      "terraform.tfvars": 'a = "y"\n',
      "prod.tfvars": 'a = "not ssl"\nb = 1\n',
    };
    expect(rulesOf(read(files))?.[0]?.expression).toBe("not ssl");
  });

  test("values of another folder are not of the module", () => {
    const files = {
      "a/main.tf": zone + ruleset("expression = local.x"),
      "b/main.tf": 'locals {\n  x = "y"\n}\n',
    };
    expect(undecidedOf(read(files))).toEqual([expect.stringContaining("computed from `local.x`")]);
  });

  test.each([
    ["elements of a list", "rules = [{", "}, {", "}]"],
    ["blocks", "rules {", "}\nrules {", "}"],
  ])("of several rules, %s, each is computed from its own values", (_, first, next, last) => {
    const text = `locals {
  known = "x"
  host  = "\${var.host}.example"
}
variable "host" {}
variable "paths" {}
resource "cloudflare_ruleset" "waf" {
  zone_id = cloudflare_zone.main.id
  name = "default"
  kind = "zone"
  phase = "http_request_firewall_custom"
  ${first}
    action = "block"
    expression = "http.host eq \\"\${local.known}\${local.host}\\""
  ${next}
    action = "block"
    expression = "ssl or \${join(" ", var.paths)}"
  ${last}
}
`;
    const reasons = undecidedOf(read(zone + text)).map((line) => line.replace(/^.*computed from /, ""));
    expect(reasons).toEqual(["`var.host`.", "`var.paths`."]);
  });
});

describe("parts that are not known", () => {
  test.each([
    [
      "count",
      zone + ruleset('expression = "ssl"', "count = 1"),
      "The instances of `cloudflare_ruleset.waf` are not known: it has `count`.",
    ],
    ["for_each", zone + ruleset('expression = "ssl"', "for_each = {}"), "it has `for_each`."],
    [
      "a call of a module",
      `${zone}module "waf" {\n  source = "./waf"\n}\n`,
      "The resources of `module.waf` are not known",
    ],
    [
      "a dynamic block",
      `${zone}${ruleset("").replace(/rules = [\s\S]*\]\n/, 'dynamic "rules" {\n    for_each = var.paths\n    content {}\n  }\n')}`,
      "A ruleset is left out: `rules` is not known; computed from `var.paths`.",
    ],
    [
      "computed rules",
      `${zone}${ruleset("").replace(/rules = [\s\S]*\]\n/, "rules = [for p in var.paths : { expression = p }]\n")}`,
      "`rules` is not known; computed from `var.paths`",
    ],
  ])("%s is undecided for every request", (_, text, message) => {
    const { report, world } = read(text);
    expect(report.undecided).toEqual([
      expect.objectContaining({ message: expect.stringContaining(message), effect: {} }),
    ]);
    expect(world.zones?.flatMap(({ rulesets = [] }) => rulesets)).toEqual([]);
  });

  test("a zone of a variable is one zone in all resources, and another variable another one", () => {
    const of = (name: string, id: string) => `resource "cloudflare_api_shield_operation" "${name}" {
  zone_id = ${id}
  method = "GET"
  host = "${name}.example.com"
  endpoint = "/"
}
`;
    const text = `${of("a", "var.one")}${of("b", "local.one")}${of("c", "var.two")}locals {\n  one = var.one\n}\n`;
    const hosts = read(text).world.zones?.map(({ token_validation: tokens }) =>
      tokens?.operations?.map(({ host }) => host),
    );
    expect(hosts).toEqual([["a.example.com", "b.example.com"], ["c.example.com"]]);
  });

  test.each([
    ['name = "example.com"', "id"],
    ['filter = { name = "example.com" }', "zone_id"],
    ['filter {\n    name = "example.com"\n  }', "id"],
  ])("a data source of a zone gives its name: %s", (filter, id) => {
    const text = `data "cloudflare_zone" "main" {\n  ${filter}\n}\n${ruleset('expression = "ssl"').replace("cloudflare_zone.main.id", `data.cloudflare_zone.main.${id}`)}`;
    const { zones = [] } = read(text).world;
    expect(zones.map(({ name, rulesets }) => [name, rulesets?.length])).toEqual([["example.com", 1]]);
  });
});

describe("faults", () => {
  test.each([
    [
      "a string that is not closed",
      'locals {\n  a = "x\n}\n',
      "main.tf:2:7: This is not Terraform's language: the string is not closed.",
    ],
    ["a block that is not closed", "locals {\n  a = [\n", "main.tf:2:7"],
    ["a bracket too many", "locals {\n}\n}\n", "main.tf:3:1"],
    ["an attribute without a value", "locals {\n  a =\n}\n", "main.tf:2:"],
    ["a heredoc that is not closed", "locals {\n  a = <<X\n", "main.tf:2:7"],
    ["a comment that is not closed", "locals {\n}\n/* a", "main.tf:3:1"],
    [
      "a mistyped block",
      'resorce "a" "b" {\n}\n',
      "main.tf:1:1: `resorce` is not a type of block; did you mean `resource`?",
    ],
    [
      "a block without labels",
      "resource {\n}\n",
      "main.tf:1:1: A block of the type `resource` must have 2 labels; found 0.",
    ],
    ["an attribute at the top", "a = 1\n", "main.tf:1:1: `a` is not a block."],
    [
      "an address that is repeated",
      zone + zone,
      "main.tf:5:1: Another block before has the address `cloudflare_zone.main`.",
    ],
    ["too many levels", `locals {\n  a = ${"[".repeat(300)}`, "too many levels"],
  ])("%s is rejected with its place", (_, text, problem) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ message: expect.stringContaining(problem) })],
      }),
    );
  });

  test("hostile texts are rejected or read in linear time", () => {
    const parts = [
      `"\${`,
      `"\${\n`,
      "{",
      "a={",
      "[",
      "(",
      "a = f(",
      "/*",
      "<<E\n",
      `"\${"`,
      "a = a_",
      "a.",
      'a["',
      "#",
      `a = "\${b[`,
      "dynamic ",
    ];
    const time = (length: number) => {
      const from = performance.now();
      for (const part of parts)
        for (const head of ["", "locals {\n  a = ", 'resource "cloudflare_ruleset" "x" {\n  rules = ']) {
          try {
            read(head + part.repeat(length / part.length));
          } catch (error) {
            expect(error).toHaveProperty("problems");
          }
        }
      return performance.now() - from;
    };
    time(2_000);
    expect(time(160_000)).toBeLessThan(Math.max(40 * time(20_000), 20_000));
  });

  test("values that repeat each other are bounded", () => {
    const double = Array.from(
      { length: 60 },
      (_, i) => `  a${i + 1} = "\${local.a${i}}\${local.a${i}}"\n`,
    ).join("");
    const lists = Array.from({ length: 60 }, (_, i) => `  b${i + 1} = [local.b${i}, local.b${i}]\n`).join("");
    const chain = Array.from({ length: 5_000 }, (_, i) => `  c${i + 1} = local.c${i}\n`).join("");
    const definitions = `locals {\n  a0 = "x"\n  b0 = ["x"]\n  c0 = "x"\n${double}${lists}${chain}}\n`;
    for (const name of ["a60", "b60", "c5000"])
      expect(undecidedOf(read(zone + definitions + ruleset(`expression = local.${name}`)))).toHaveLength(1);
  });
});
