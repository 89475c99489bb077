/**
 * Success means that something was evaluated, and that all of it was decided: exit codes of runs that evaluated nothing,
 * or only a part, of inputs that cannot be used, and of `--allow-empty` and `--partial`.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { pngPicture } from "../../src/testing/pictures/picture-samples.ts";
import { config, entry, operation, planFile, rule, zone, zoneId } from "../import/terraform/documents.ts";
import { type CliOptions, type CliResult, edgeproof } from "../support/cli.ts";

const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));

function run(
  command: string,
  words: readonly string[],
  input = "",
  options: CliOptions = {},
): Promise<CliResult> {
  return edgeproof([...command.split(" "), ...words], input, options);
}

/** Checks the world against a document of operations. */
function checkOperations(openapi: string, world: string, ...words: string[]): Promise<CliResult> {
  return edgeproof(["check", world, "--only", "openapi", "--openapi", openapi, ...words]);
}

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const saved = (result: unknown, success = true) => {
  const errors = success ? [] : [{ code: 10000, message: "Authentication error" }];
  return { success, errors, messages: [], result };
};
const savedZone = await file("zone.json", saved(zone));
const savedConfigs = await file("configs.json", saved([config]));
const failedRules = await file("rules.json", saved(null, false));

const { zone_id: _config, ...ownConfig } = config;
const { zone_id: _rule, ...ownRule } = rule;
const { expression, ...withoutExpression } = rule;
const unknown = { after_unknown: { expression: true } };
/** A plan whose rule has an expression that is known only after apply. */
const undecided = await file(
  "undecided.json",
  planFile([
    entry("zone", "z", zone),
    entry("config", "c", config),
    entry("rule", "r", withoutExpression, unknown),
  ]).text,
);
const foreign = await file("foreign.json", planFile([["aws_s3_bucket", "b", { bucket: "logs" }]]).text);
const complete = await file("complete.json", {
  zones: [
    {
      id: zoneId,
      name: "example.com",
      token_validation: {
        configs: [ownConfig],
        rules: [{ ...ownRule, selector: { include: rule.selector.include } }],
      },
    },
  ],
});
const covered = await file("covered.json", [{ url: "https://api.example.com/v1/orders" }]);
const open = await file("open.json", [
  { url: "https://www.example.com/", expect: { action: "allow", outcome: "no_rule" } },
]);
const blocked = await file("blocked.json", [{ url: "https://api.example.com/v1/orders", expect: "block" }]);
const noRequests = await file("none.json", []);

/** The world of the undecided plan, written although a rule is missing. */
async function partialWorld(): Promise<string> {
  const path = join(folder, "partial.json");
  const { code, out } = await run("world from", ["--from", undecided, "--partial"]);
  expect(code).toBe(0);
  await writeFile(path, out);
  return path;
}

describe("world from", () => {
  test("a saved response with `success: false` is rejected, and no world is written", async () => {
    const { code, out, err } = await run("world from", ["--from", savedZone, savedConfigs, failedRules]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("rules.json");
    expect(err).toContain("Authentication error");
  });

  test("a world with an undecided rule is not written, and the exit code is 1", async () => {
    const { code, out, err } = await run("world from", ["--from", undecided]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("--partial");
  });

  test("with --partial a world is written that lists what is undecided", async () => {
    const { code, out, err } = await run("world from", ["--from", undecided, "--partial"]);
    expect(code).toBe(0);
    expect(err).toContain("cloudflare_token_validation_rules.r");
    expect(out).toContain("cloudflare_token_validation_rules.r");
  });

  test.each(["check", "eval"])("what is undecided in such a world is undecided for %s", async (command) => {
    const world = await partialWorld();
    const words = command === "eval" ? ["--world", world, "--requests", covered] : [world];
    const { code, out, err } = await run(command, words);
    expect(code).toBe(1);
    expect(out + err).toContain("cloudflare_token_validation_rules.r");
    const meant = await run(command, [...words, "--partial"]);
    expect(meant.code).toBe(0);
    expect(meant.out + meant.err).toContain("cloudflare_token_validation_rules.r");
  });
});

test("check of applications exits with 1 when no file names their zone, whose names are then not checked", async () => {
  const app = { id: "a1", protocol: "tcp/22", dns: { type: "CNAME", name: "ssh.example.com" } };
  const apps = await file("apps.json", saved([{ ...app, origin_direct: ["tcp://192.0.2.1:22"] }]));
  const { code, out } = await run("check", [apps]);
  expect([code, out]).toEqual([1, expect.stringMatching(/undecided[\s\S]*--zone-name 'zone=<domain>'/)]);
  expect((await run("check", [apps, "--partial"])).code).toBe(0);
  expect((await run("check", [apps, "--zone-name", "zone=example.com"])).code).toBe(0);
});

/** An OpenAPI document whose operations need a token. */
function documentOf(paths: object): object {
  return {
    openapi: "3.0.3",
    servers: [{ url: "https://api.example.com" }],
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  };
}

describe("a run that evaluated nothing exits with 1, and with 0 only when --allow-empty says that it is meant", () => {
  const cases: readonly (readonly [
    what: string,
    run: (...words: string[]) => Promise<CliResult>,
    names: RegExp,
  ])[] = [
    [
      "check of a plan that has only resources of other providers",
      (...words) => run("check", [foreign, ...words]),
      /aws_s3_bucket|0 rules/,
    ],
    [
      "eval of an empty list with an expected action",
      (...words) =>
        run("eval", ["--world", complete, "--requests", noRequests, "--expect", "allow", ...words]),
      /Nothing was evaluated/,
    ],
    [
      "check against a document without operations",
      async (...words) => checkOperations(await file("empty-api.json", documentOf({})), complete, ...words),
      /0 documented operations|no operations/,
    ],
    [
      "suite mutate of a world without rules",
      async (...words) =>
        run("suite mutate", [
          "--world",
          await file("bare.json", { zones: [{ id: "z" }] }),
          "--requests",
          open,
          ...words,
        ]),
      /Nothing was evaluated/,
    ],
    [
      "replay of a recording without requests",
      async (...words) =>
        run("replay", ["--world", complete, await file("empty.har", { log: { entries: [] } }), ...words]),
      /Nothing was evaluated/,
    ],
  ];

  test.each(cases)("%s", async (_what, evaluate, names) => {
    const { code, out, err } = await evaluate();
    expect(code).toBe(1);
    expect(out + err).toContain("--allow-empty");
    const meant = await evaluate("--allow-empty");
    expect(meant.code).toBe(0);
    expect(meant.out + meant.err).toMatch(names);
  });
});

describe("a part that was asked for and is missing exits with 1", () => {
  test("check against a document whose only finding is an unreadable path", async () => {
    const api = await file(
      "path.json",
      documentOf({ "/v1/orders": { get: {} }, "/orders/{id}.{format}": { get: {} } }),
    );
    const { code, out, err } = await checkOperations(api, complete);
    expect(code).toBe(1);
    expect(out + err).toContain("{id}.{format}");
    const meant = await checkOperations(api, complete, "--partial");
    expect(meant.code).toBe(0);
    expect(meant.out + meant.err).toContain("{id}.{format}");
  });

  test("images render --check names an approved picture whose input was removed", async () => {
    const [pictures, golden, out] = ["pictures", "golden", "out"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(pictures);
    for (const name of ["a.png", "b.png"])
      await writeFile(join(pictures, name), pngPicture({ width: 8, height: 6, color: [200, 20, 20] }));
    const words = [pictures, out, "--width", "4", "--check", golden];
    expect((await run("images render", [...words, "--update"])).code).toBe(0);
    expect((await run("images render", words)).code).toBe(0);
    await rm(join(pictures, "b.png"));
    const result = await run("images render", words);
    expect(result.code).toBe(1);
    expect(result.out + result.err).toMatch(/\bb\b/);
  });
});

describe("an invalid part of a plan is an error in every command", () => {
  const resources = [
    entry("zone", "z", zone),
    entry("config", "c", config),
    entry("rule", "r", rule),
    entry("operation", "o", operation),
  ];
  const app = {
    zone_id: zoneId,
    protocol: "tcp/99999",
    dns: { type: "CNAME", name: "ssh.example.com" },
    origin_direct: ["tcp://192.0.2.1:22"],
  };
  const variant = {
    account_id: zone.account.id,
    id: "hero",
    options: { fit: "cover", width: -1, height: 1, metadata: "none" },
  };
  const plans: readonly (readonly [what: string, name: string, plan: string])[] = [
    [
      "proxy application",
      "cloudflare_spectrum_application.ssh",
      planFile([...resources, ["cloudflare_spectrum_application", "ssh", app]]).text,
    ],
    [
      "image variant",
      "cloudflare_image_variant.hero",
      planFile([...resources, ["cloudflare_image_variant", "hero", variant]]).text,
    ],
  ];

  let page: string;
  beforeAll(async () => {
    page = await mkdtemp(join(tmpdir(), "edgeproof-"));
    await writeFile(join(page, "index.html"), "<!doctype html>");
  });

  test.each(plans)(
    "eval of a plan with a faulty %s returns the verdicts, and fails with the name %s",
    async (what, name, text) => {
      const plan = await file(`${what}.json`, text);
      const { code, out, err } = await run("eval", ["--world", plan, "--requests", blocked, "--partial"]);
      expect([code, out]).toEqual([1, expect.stringContaining("block")]);
      expect(err).toContain(name);
    },
  );

  const servers = ["serve", "workbench"].flatMap((command) =>
    plans.map(([what, name, text]) => [command, what, name, text] as const),
  );
  test.each(servers)(
    "%s does not start with a plan with a faulty %s, and names %s",
    async (command, what, name, text) => {
      const plan = await file(`${command} ${what}.json`, text);
      const port = command === "serve" ? "--port" : "--workbench-port";
      const { code, err } = await run(command, ["--world", plan, "--partial", port, "0"], "", {
        env: { EDGEPROOF_PAGE: page },
      });
      expect(code).toBe(1);
      expect(err).toContain(name);
    },
  );

  test("check of such a plan exits with 1 and names the fault", async () => {
    for (const [what, name, text] of plans) {
      const { code, out, err } = await run("check", [await file(`check ${what}.json`, text)]);
      expect(code).toBe(1);
      expect(out + err).toContain(name);
    }
  });
});

describe("inputs that cannot be used exit with 2", () => {
  const missing = join(folder, "missing.json");
  const commands: readonly (readonly [command: string, words: readonly string[]])[] = [
    ["check", [missing]],
    ["eval", ["--world", missing, "--requests", open]],
    ["eval", ["--world", complete, "--requests", missing]],
    ["diff", [complete, missing]],
    ["replay", ["--world", complete, missing]],
    ["suite mutate", ["--world", complete, "--requests", missing]],
    ["world from", ["--from", savedZone, missing]],
    ["images render", [missing, join(folder, "x.png"), "--width", "4"]],
    ["serve", ["--world", missing]],
    ["workbench", ["--world", missing]],
  ];

  test.each(commands)("%s names the file that cannot be read", async (command, words) => {
    const { code, out, err } = await run(command, words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("missing.json");
  });

  test.each([...new Map(commands).keys()])("%s names an option that does not exist", async (command) => {
    const { code, out, err } = await run(command, ["--no-such-option"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("--no-such-option");
  });

  test.each([
    ["check", [complete]],
    ["eval", ["--world", complete, "--requests", open]],
  ] as const)("%s rejects --json beside another --format", async (command, words) => {
    const { code, out, err } = await run(command, [...words, "--json", "--format", "junit"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/--json.*--format|--format.*--json/);
  });
});

describe("advice belongs to its cause", () => {
  test("check --format markdown does not recommend more steps for a value that is unknown until apply", async () => {
    const { out } = await run("check", [undecided, "--format", "markdown", "--partial"]);
    expect(out).toContain("is not known");
    expect(out).not.toContain("more steps");
  });
});

test("a complete world whose requests are all decided as expected exits with 0", async () => {
  expect((await run("check", [complete])).code).toBe(0);
  expect((await run("eval", ["--world", complete, "--requests", open])).code).toBe(0);
  expect((await run("eval", ["--world", complete, "--requests", blocked])).code).toBe(0);
});
