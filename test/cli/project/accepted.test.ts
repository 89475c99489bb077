/** Accepted findings: in the configuration file, by comments and by a baseline; counted in every report. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commentsOf } from "../../../src/cli/input/accepted/comments.ts";
import { isDate } from "../../../src/cli/input/accepted/dates.ts";
import { acceptFindings } from "../../../src/cli/output/report/acceptance/accept.ts";
import {
  config,
  entry,
  operation,
  planFile,
  rule,
  stateFile,
  zone,
} from "../../import/terraform/documents.ts";
import { reportOf } from "../report/hostile-report.ts";
import { alwaysTrue, type ProjectFolder, projectFolder, worldWith } from "./folder.ts";

interface Finding {
  readonly id: string;
  readonly rule: string;
}

async function findingsOf(folder: ProjectFolder, words: readonly string[] = []): Promise<readonly Finding[]> {
  const { out } = await folder.run(["check", ...words, "--json"]);
  return JSON.parse(out).diagnostics;
}

/** A project with one finding. */
async function project(more: Readonly<Record<string, unknown>> = {}): Promise<ProjectFolder> {
  const folder = await projectFolder();
  await folder.write({
    "world.json": worldWith(alwaysTrue),
    "edgeproof.config.json": { worlds: { main: "world.json" } },
    ...more,
  });
  return folder;
}

const accepting = (accepted: readonly unknown[]) => ({
  "edgeproof.config.json": { worlds: { main: "world.json" }, accepted },
});

describe("in the configuration file", () => {
  test("an accepted finding does not fail the check, and is counted in every format", async () => {
    const folder = await project();
    const [finding, ...others] = await findingsOf(folder);
    expect(others).toEqual([]);
    expect((await folder.run(["check"])).out).toContain(`[${finding!.id}]`);
    await folder.write(accepting([{ id: finding!.id, reason: "It is a <test>." }]));
    const printed = async (format: string) => {
      const { code, out, err } = await folder.run(["check", "--format", format]);
      expect([format, code]).toEqual([format, 0]);
      return { out, err };
    };
    expect((await printed("text")).out).toMatch(/0 errors, 0 warnings, 0 notes, 1 accepted$/m);
    expect(JSON.parse((await printed("json")).out)).toMatchObject({
      diagnostics: [],
      accepted: [{ id: finding!.id, rule: finding!.rule, reason: "It is a <test>." }],
    });
    const [result] = JSON.parse((await printed("sarif")).out).runs[0].results;
    expect(result.suppressions).toEqual([
      { kind: "external", status: "accepted", justification: "It is a <test>." },
    ]);
    expect(result.partialFingerprints.primaryLocationLineHash).toBe(finding!.id);
    expect((await printed("junit")).out).toMatch(/<system-out>accepted .*It is a &lt;test&gt;/);
    expect((await printed("markdown")).out).toContain("1 finding accepted");
    expect((await printed("github")).out).toBe("accepted: 1 finding\n");
    const gitlab = await printed("gitlab");
    expect([JSON.parse(gitlab.out), gitlab.err]).toEqual([[], "accepted: 1 finding\n"]);
  });

  test("through its last day, in UTC", async () => {
    const folder = await project();
    const [finding] = await findingsOf(folder);
    for (const [until, code] of [
      ["9999-12-31", 0],
      ["2020-02-29", 1],
    ] as const) {
      await folder.write(accepting([{ id: finding!.id, reason: "r", until }]));
      expect((await folder.run(["check"])).code).toBe(code);
    }
    expect((await findingsOf(folder)).map((found) => found.rule)).toEqual([
      finding!.rule,
      "expired-acceptance",
    ]);
    const report = reportOf([
      {
        kind: "rule",
        group: "g",
        name: "n",
        status: "failed",
        location: { file: "a", start: { line: 1, column: 1 } },
        diagnostics: [
          { rule: "r1", level: "error", message: "m", at: { file: "a", start: { line: 1, column: 1 } } },
        ],
      },
    ]);
    const at = { file: "c", start: { line: 1, column: 1 } };
    const acceptance = {
      comment: { rule: "r1", line: 1, lastLine: 1 },
      reason: "r",
      until: "2026-12-31",
      at: { ...at, file: "a" },
    };
    const statuses = ["2026-12-30", "2026-12-31", "2027-01-01"].map((today) => {
      return acceptFindings(report, [acceptance], { today, isComplete: true, failOn: "warning" }).cases[0]
        ?.status;
    });
    expect(statuses).toEqual(["passed", "passed", "failed"]);
  });

  test("one without a finding is a finding, unless only a part is checked", async () => {
    const folder = await project({ "other.json": worldWith() });
    const unused = { id: "0123456789abcdef:1", reason: "gone" };
    const [finding] = await findingsOf(folder);
    await folder.write(accepting([{ id: finding!.id, reason: "r" }, unused]));
    expect((await findingsOf(folder)).map((found) => found.rule)).toEqual(["unused-acceptance"]);
    expect((await folder.run(["check"])).code).toBe(1);
    expect((await folder.run(["check", "--only", "tokens"])).code).toBe(0);
    expect((await folder.run(["check", "other.json"])).code).toBe(0);
  });

  test("the id stays when the file moves, and when other rules come before", async () => {
    const folder = await project();
    const [before] = await findingsOf(folder);
    const world = worldWith(alwaysTrue);
    const [given] = world.zones[0]!.token_validation.rules;
    const first = { ...given!, id: "51231d16-01f1-48e3-93f8-91c99e81288f", title: "new", action: "log" };
    first.expression = '(is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e"))';
    world.zones[0]!.token_validation.rules.unshift(first);
    await folder.write({ "moved/there.json": world });
    const ids = (await findingsOf(folder, ["moved/there.json"])).map(({ id }) => id);
    expect(ids).toContain(before!.id);
  });

  test.each<[string, unknown, RegExp]>([
    ["no list", {}, /must be a list/],
    ["no reason", [{ id: "0123456789abcdef:1" }], /\/accepted\/0\/reason: .*it is missing/],
    ["an empty reason", [{ id: "0123456789abcdef:1", reason: " " }], /a text that says why/],
    ["no id", [{ id: "x", reason: "r" }], /the id of a finding/],
    [
      "a day that does not exist",
      [{ id: "0123456789abcdef:1", reason: "r", until: "2026-02-30" }],
      /a day in UTC/,
    ],
    ["a member", [{ id: "0123456789abcdef:1", reason: "r", util: "x" }], /did you mean `until`/],
    ["twice", Array.from({ length: 2 }, () => ({ id: "0123456789abcdef:1", reason: "r" })), /accepted twice/],
  ])("%s is exit code 2", async (_title, accepted, message) => {
    const folder = await project({ "edgeproof.config.json": { worlds: { main: "world.json" }, accepted } });
    const { code, err } = await folder.run(["check"]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe("a baseline", () => {
  test("is written, and then accepts what it has and nothing else", async () => {
    const folder = await project();
    const written = await folder.run(["check", "--write-baseline", "baseline.json"]);
    expect([written.code, written.out]).toEqual([0, expect.stringContaining("1 accepted")]);
    expect((await folder.run(["check", "--baseline", "baseline.json"])).code).toBe(0);
    await folder.write({ "two.json": worldWith(alwaysTrue, "example.net") });
    expect((await folder.run(["check", "main", "two.json", "--baseline", "baseline.json"])).code).toBe(1);
    await folder.write({ "world.json": worldWith() });
    expect((await findingsOf(folder, ["--baseline", "baseline.json"])).map(({ rule }) => rule)).toEqual([
      "unused-acceptance",
    ]);
    const text = await readFile(join(folder.path, "baseline.json"), "utf8");
    expect(JSON.parse(text).findings).toEqual([
      {
        id: expect.stringMatching(/:1$/),
        rule: "always-true",
        case: expect.any(String),
        message: expect.any(String),
      },
    ]);
  });

  test.each<[string, unknown]>([
    ["missing", undefined],
    ["no JSON", "{"],
    ["without findings", {}],
    ["with an invalid id", { findings: [{ id: "1" }] }],
    ["with a repeated id", { findings: [{ id: "0123456789abcdef:1" }, { id: "0123456789abcdef:1" }] }],
  ])("%s is exit code 2", async (_title, content) => {
    const folder = await project(content === undefined ? {} : { "baseline.json": content });
    expect(await folder.run(["check", "--baseline", "baseline.json"])).toMatchObject({ code: 2, out: "" });
  });
});

describe("what cannot be accepted", () => {
  const { expression, ...unknownRule } = rule;
  const resources = [
    entry("zone", "main", zone),
    entry("config", "web", config),
    entry("operation", "o", operation),
    entry("rule", "enforce", unknownRule, { after_unknown: { expression: true } }),
  ];

  test("undecided and nothing evaluated", async () => {
    const folder = await project({ "plan.json": planFile(resources).text, "empty.json": { zones: [] } });
    const ids = (await findingsOf(folder, ["plan.json"])).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    const empty = (await findingsOf(folder, ["empty.json"])).map(({ id }) => id);
    await folder.write(accepting([...ids, ...empty].map((id) => ({ id, reason: "r" }))));
    const undecided = await findingsOf(folder, ["plan.json"]);
    expect(undecided.map((finding) => finding.rule)).toContain("undecided");
    expect(undecided.map((finding) => finding.rule)).toContain("rejected-acceptance");
    for (const file of ["plan.json", "empty.json"]) {
      expect((await folder.run(["check", file])).code).toBe(1);
      expect((await folder.run(["check", file, "--write-baseline", "b.json", "--no-config-file"])).code).toBe(
        1,
      );
      expect(JSON.parse(await readFile(join(folder.path, "b.json"), "utf8"))).toEqual({ findings: [] });
    }
  });
});

describe("by a comment beside it", () => {
  const yaml = (comment: string, trailing = "") => {
    const [only] = worldWith(alwaysTrue).zones;
    const { configs, rules } = only!.token_validation;
    const [rule] = rules;
    return [
      `zones:\n  - id: z1\n    name: example.com\n    token_validation:\n      configs: ${JSON.stringify(configs)}\n      rules:`,
      ...(comment ? [`        ${comment}`] : []),
      `        - id: ${rule!.id}`,
      `          title: tokens\n          action: block\n          expression: '${rule!.expression}'${trailing}`,
      `          selector: ${JSON.stringify(rule!.selector)}\n`,
    ].join("\n");
  };

  test.each([
    ["above the rule", yaml("# edgeproof-accept always-true: tested elsewhere")],
    ["behind the value", yaml("", " # edgeproof-accept always-true until 9999-01-01: tested elsewhere")],
    ["above other comments", yaml("# edgeproof-accept always-true: x\n        # more\n")],
  ])("YAML, %s", async (_title, text) => {
    const folder = await projectFolder();
    await folder.write({ "world.yaml": text });
    const { code, out } = await folder.run(["check", "world.yaml", "--format", "sarif"]);
    const [result] = JSON.parse(out).runs[0].results;
    expect([code, result.ruleId, result.suppressions[0].kind]).toEqual([0, "always-true", "inSource"]);
  });

  test.each([
    ["another rule", yaml("# edgeproof-accept never-true: x"), "unused-acceptance"],
    ["a mistyped rule", yaml("# edgeproof-accept always-ture: x"), "unused-acceptance"],
    ["another place", `# edgeproof-accept always-true: x\n${yaml("")}`, "unused-acceptance"],
    ["an earlier day", yaml("# edgeproof-accept always-true until 2020-01-01: x"), "expired-acceptance"],
  ])("%s does not accept it", async (_title, text, problem) => {
    const folder = await projectFolder();
    await folder.write({ "world.yaml": text });
    const rules = (await findingsOf(folder, ["world.yaml"])).map((finding) => finding.rule);
    expect(rules.toSorted()).toEqual(["always-true", problem].toSorted());
  });

  test("JSON with comments, and the sources of Terraform", async () => {
    const folder = await projectFolder();
    const application = { protocol: "tcp/22", dns: { type: "CNAME", name: "ssh.example.com" }, tls: "odd" };
    const [first, ...rest] = JSON.stringify(
      { ...application, origin_direct: ["tcp://192.0.2.1:22"] },
      null,
      2,
    ).split("\n");
    await folder.write({ "app.jsonc": [first, ...rest].join("\n") });
    const [found] = await findingsOf(folder, ["app.jsonc"]);
    await folder.write({
      "app.jsonc": [`// edgeproof-accept ${found!.rule}: known\n${first}`, ...rest].join("\n"),
    });
    expect((await folder.run(["check", "app.jsonc"])).code).toBe(0);
    const always = { ...rule, expression: `${rule.expression} or not ${rule.expression}` };
    const state = stateFile(
      entry("zone", "main", zone),
      entry("config", "web", config),
      entry("rule", "enforce", always),
    );
    const block = 'resource "cloudflare_token_validation_rules" "enforce" {\n}\n';
    await folder.write({ "tf/state.json": state.text, "tf/main.tf": block });
    const before = await findingsOf(folder, ["tf/state.json"]);
    expect(before.map((finding) => finding.rule)).toContain("always-true");
    const comments = [
      ...new Set(before.map((finding) => `# edgeproof-accept ${finding.rule}: known\n`)),
    ].join("");
    await folder.write({ "tf/main.tf": comments + block });
    expect(await findingsOf(folder, ["tf/state.json"])).toEqual([]);
  });

  test("one that is not complete is exit code 2 with its place", async () => {
    const folder = await projectFolder();
    for (const comment of [
      "# edgeproof-accept",
      "# edgeproof-accept always-true",
      "# edgeproof-accept always-true until soon: x",
    ]) {
      await folder.write({ "world.yaml": yaml(comment) });
      const { code, err } = await folder.run(["check", "world.yaml"]);
      expect([code, err]).toEqual([2, expect.stringMatching(/world\.yaml:7:9: an acceptance is/)]);
    }
  });

  const line = "edgeproof-accept a: b";
  const accept = async (file: string, text: string) =>
    (await commentsOf(file, text)).map(({ comment, at }) => [
      comment?.line,
      at.start?.line,
      at.start?.column,
    ]);

  test.each([
    ["JSON", "a.json", `{"a": "# ${line}"}`],
    ["a word of YAML", "a.yaml", `a: x#${line}`],
    ["a quoted scalar", "a.yaml", `a: "x # ${line}"\nb: 'x # ${line}'\n`],
    ["a quoted scalar of several lines", "a.yaml", `a: "x\n  # ${line}\n  y"\n`],
    ["a block scalar", "a.yaml", `a: |\n  # ${line}\nb: >-\n  x # ${line}\n`],
    ["a string of JSON with comments", "a.jsonc", `{"a": "/* ${line} */", "b": "x // ${line}"}`],
    ["a string of Terraform", "a.tf", `a = "x # ${line}"\nb = "\\" // ${line}"\n`],
    ["a string behind an interpolation", "a.tf", `a = "\${f("}", { b = "c" })} # ${line}"\n`],
    ["a string in an interpolation", "a.tf", `a = "\${f("# ${line}")}"\n`],
    ["an escaped interpolation", "a.tf", `a = "$\${ # ${line}"\n`],
    ["a heredoc", "a.tf", `a = <<-EOT\n  # ${line}\n  EOT\nb = 1\n`],
    ["a heredoc without an end", "a.tf", `a = <<EOT\n# ${line}\n`],
  ])("%s has no comment", async (_title, file, text) => {
    expect(await accept(file, text)).toEqual([]);
  });

  test.each([
    ["JSON with comments", "a.jsonc", `{} /* ${line} */`, [[1, 1, 4]]],
    ["a comment before a value", "a.jsonc", `[\n  /* ${line} */ {}]`, [[2, 2, 3]]],
    ["a comment of several lines", "a.jsonc", `[\n  /*\n   * ${line}\n   */\n\n  {}]`, [[6, 3, 4]]],
    [
      "several comments",
      "a.yaml",
      `# ${line}\n# x\n# ${line}\r\n\r\na: 1\r\n`,
      [
        [5, 1, 1],
        [5, 3, 1],
      ],
    ],
    [
      "behind a block scalar",
      "a.yaml",
      `a: | # ${line}\n  x\n# ${line}\nb: 1\n`,
      [
        [1, 1, 6],
        [4, 3, 1],
      ],
    ],
    [
      "behind strings",
      "a.tf",
      `a = "\${f("}")}" # ${line}\nb = "%%{" // ${line}\n`,
      [
        [1, 1, 17],
        [2, 2, 11],
      ],
    ],
    ["behind a heredoc", "a.tf", `a = <<EOT\n"\nEOT\n# ${line}\nb = 1\n`, [[5, 4, 1]]],
    ["behind a string without an end", "a.tf", `a = "x\n# ${line}\nb = 1\n`, [[3, 2, 1]]],
    ["at the end", "a.tf", `a = 1\n# ${line}`, [[2, 2, 1]]],
  ])("%s", async (_title, file, text, expected) => {
    expect(await accept(file, text)).toEqual(expected);
  });
});

test("days exist", () => {
  expect(["2026-01-01", "2024-02-29", "2026-02-29", "2026-13-01", "2026-1-1", ""].map(isDate)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
