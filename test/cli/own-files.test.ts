/** Commands read files of Terraform and saved responses where a world is expected. */
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  config,
  entry,
  operation,
  planFile,
  rule,
  stateFile,
  zone,
  zoneId,
} from "../import/terraform/documents.ts";
import { edgeproof } from "../support/cli.ts";

const fixture = (name: string) => `fixtures/own-configuration/${name}`;

let folder: string;
const at = (name: string) => join(folder, name);

const app = {
  id: "ea95132c15732412d22c1476fa83f27a",
  zone_id: zoneId,
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://10.0.0.5:22"],
  argo_smart_routing: false,
  tls: "off",
};
const base = [entry("zone", "main", zone), entry("config", "web", config)];
const unknown = { after_unknown: { expression: true } };
const { expression, ...withoutExpression } = rule;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const files = {
    "state.json": stateFile(...base, entry("operation", "o", operation), entry("rule", "enforce", rule)),
    "changed.json": planFile([...base, entry("rule", "enforce", { ...rule, action: "log" })]),
    "undecided.json": planFile([...base, entry("rule", "enforce", withoutExpression, unknown)]),
    "always.json": planFile([
      ...base,
      entry("rule", "enforce", { ...rule, expression: `${expression} or not ${expression}` }),
    ]),
    "apps.json": planFile([entry("zone", "main", zone), entry("app", "ssh", app)]),
    "unknown-app.json": planFile([
      entry("zone", "main", zone),
      entry("app", "ssh", { ...app, origin_direct: [null] }, { after_unknown: { origin_direct: [true] } }),
    ]),
  };
  for (const [name, { text }] of Object.entries(files)) await writeFile(at(name), text);
  await mkdir(at("tf"));
  await writeFile(
    at("tf/main.tf"),
    '# edge\n\nresource "cloudflare_token_validation_rules" "enforce" {\n}\n  resource "cloudflare_spectrum_application" "ssh" {\n}\n',
  );
  await writeFile(
    at("requests.json"),
    JSON.stringify([
      { url: "https://api.example.com/v1/orders", expect: "block" },
      { url: "https://www.example.com/" },
    ]),
  );
});

describe("check", () => {
  test("a state is checked with the profile `provider`, which is printed", async () => {
    const { code, err } = await edgeproof(["check", at("state.json")]);
    expect([code, err]).toEqual([0, `${at("state.json")}: Terraform state; profile provider\n`]);
    const chosen = await edgeproof(["check", at("state.json"), "--profile", "spec"]);
    expect(chosen.err).toContain("; profile spec\n");
  });

  test("findings are at the block of the resource, with its address", async () => {
    const { code, out } = await edgeproof(["check", at("always.json"), "--source", at("tf")]);
    expect(code).toBe(1);
    expect(out).toContain(
      `${at("tf/main.tf")}:3:1: warning always-true at cloudflare_token_validation_rules.enforce [`,
    );
    const sarif = await edgeproof(["check", at("always.json"), "--source", at("tf"), "--format", "sarif"]);
    const [result] = JSON.parse(sarif.out).runs[0].results;
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toMatch(/tf\/main\.tf$/);
    expect(result.locations[0].physicalLocation.region.startLine).toBe(3);
  });

  test("a resource without a block is at line 1 of the given file", async () => {
    const { out } = await edgeproof(["check", at("always.json"), "--source", "schemas"]);
    expect(out).toContain(`${at("always.json")}:1:1: warning always-true at cloudflare_token`);
  });

  test("an undecided rule is a warning with what to run, and a note with --partial", async () => {
    const { code, out } = await edgeproof(["check", at("undecided.json"), "--source", at("tf")]);
    expect(code).toBe(1);
    expect(out).toContain(
      `${at("tf/main.tf")}:3:1: warning undecided at cloudflare_token_validation_rules.enforce\n`,
    );
    expect(out).toContain("  run: npx edgeproof world from --terraform-mock");
    // The rule that is left out can use any configuration.
    expect(out).not.toContain("unused-config");
    const partial = await edgeproof(["check", at("undecided.json"), "--partial"]);
    expect([partial.code, partial.out]).toEqual([0, expect.stringContaining("note undecided")]);
  });

  test("saved responses are checked, with positions in their file", async () => {
    await cp(fixture("api-token-rules.json"), at("rules.json"));
    const { code, out } = await edgeproof(["check", at("rules.json")]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /rules\.json:\d+:\d+: error unknown-config at \/result\/0\/expression \[\w{16}:1\]\n/,
    );
  });
});

describe("diff", () => {
  test("compares a state with a plan", async () => {
    const { code, out } = await edgeproof(["diff", at("state.json"), at("changed.json")]);
    expect([code, out]).toEqual([1, expect.stringContaining("    new: log, by ")]);
  });

  test("an undecided rule leaves the comparison undecided, and is marked with --partial", async () => {
    const line = ["diff", at("state.json"), at("undecided.json")];
    const { code, out, err } = await edgeproof(line);
    expect(code).toBe(1);
    expect(out).toContain("undecided: A rule is left out: `expression` is not known");
    expect(err).toContain("run: npx edgeproof world from --terraform-mock");
    const partial = await edgeproof([...line, "--partial"]);
    expect([partial.code, partial.out]).toEqual([
      1,
      expect.stringContaining("  could change: A rule is left out"),
    ]);
  });
});

describe("eval", () => {
  test("evaluates requests with the rules of a state", async () => {
    const { code, out } = await edgeproof([
      "eval",
      "--world",
      at("state.json"),
      "--requests",
      at("requests.json"),
    ]);
    expect([code, out]).toEqual([0, expect.stringContaining("block")]);
  });

  test("a request that an undecided rule covers has no verdict, and exit code 1; the others have one", async () => {
    const line = ["eval", "--world", at("undecided.json"), "--requests", at("requests.json")];
    const { code, out, err } = await edgeproof([...line, "--json"]);
    const [covered, other] = JSON.parse(out);
    expect([code, covered.verdict, other.verdict.action]).toEqual([1, undefined, "allow"]);
    expect(err).toContain("A rule is left out: `expression` is not known");
    expect(err).toContain("run: npx edgeproof world from --terraform-mock");
  });

  test("--partial marks the verdicts that an undecided rule could change", async () => {
    const line = ["eval", "--world", at("undecided.json"), "--requests", at("requests.json")];
    const partial = await edgeproof([...line, "--partial", "--json"]);
    const [covered, other] = JSON.parse(partial.out);
    expect(covered.undecided).toEqual([expect.stringContaining("A rule is left out")]);
    expect(other).not.toHaveProperty("undecided");
  });
});

describe("audit", () => {
  test("an undecided rule is exit code 1, and each outcome that it could change is marked", async () => {
    const paths = { "/v1/orders": { get: { responses: {} } } };
    const document = { openapi: "3.0.3", info: {}, servers: [{ url: "https://api.example.com" }], paths };
    await writeFile(at("api.json"), JSON.stringify(document));
    const line = ["audit", "--openapi", at("api.json"), "--world", at("undecided.json")];
    const { code, out } = await edgeproof(line);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("warning undecided at cloudflare_token_validation_rules"),
    ]);
    const partial = await edgeproof([...line, "--partial"]);
    expect(partial.out).toContain("note could-change at ");
  });
});

describe("files of Terraform that are not read", () => {
  test.each(["check", "lint", "world from"])(
    "%s names the command that makes one it can read",
    async (command) => {
      await writeFile(at("plan.bin"), Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe]));
      const binary = await edgeproof([...command.split(" "), at("plan.bin")]);
      expect([binary.code, binary.err]).toEqual([2, expect.stringContaining("plan.bin > plan.json")]);
    },
  );

  test("a world file is not imported again", async () => {
    const { code, err } = await edgeproof(["world", "from", "--from", "examples/rules/zone.json"]);
    expect([code, err]).toEqual([2, expect.stringContaining("is a world file already")]);
  });
});

describe("lint", () => {
  test("checks the applications of a plan, at the blocks of their resources", async () => {
    const { code, out } = await edgeproof(["lint", at("apps.json"), "--source", at("tf")]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /tf\/main\.tf:5:3: error 11002 \S+ at cloudflare_spectrum_application\.ssh \[\w{16}:1\]\n/,
    );
  });

  test("an application with an unknown member is not validated, and exit code 1", async () => {
    const { code, out } = await edgeproof(["lint", at("unknown-app.json")]);
    expect(code).toBe(1);
    expect(out).toContain("error undecided-application at cloudflare_spectrum_application.ssh\n");
    const json = await edgeproof(["lint", at("unknown-app.json"), "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      diagnostics: [
        { rule: "undecided-application", run: expect.any(String) },
        { rule: "nothing-evaluated" },
      ],
    });
  });

  test("edge addresses that a plan does not set are those of the service, so that the application is validated", async () => {
    const words = ["lint", fixture("plan-v5-modules.json"), "--zone-name", `${zoneId}=example.com`];
    const { code, out } = await edgeproof(words);
    expect([code, out]).toEqual([0, expect.stringContaining("1 application: 0 errors, 0 warnings, 0 notes")]);
  });

  test("without the domain of the zone, checks of the names in it are not evaluated", async () => {
    const { out, err } = await edgeproof(["lint", fixture("raw-state.tfstate")]);
    expect(out).not.toContain("error 11050");
    expect(out).toMatch(/^not evaluated for lack of `zones` .* 11050 origin-zone-unknown; 3 applications$/m);
    expect(out.match(/for lack of `zones`/g)).toHaveLength(1);
    const named = `--zone-name '${zoneId}=<domain>'`;
    expect(out).toContain(
      `  run: npx edgeproof check --only proxy ${fixture("raw-state.tfstate")} ${named}\n`,
    );
    expect(err).not.toContain("--zone-name");
  });

  test("checks the applications of a world file, with its facts", async () => {
    const zones = (name: string) => [
      {
        id: "z1",
        name,
        account_id: "a1",
        proxy: { applications: [{ ...byName, dns: { type: "CNAME", name: "ssh.example.com" } }] },
      },
    ];
    const byName = { protocol: "tcp/22", origin_dns: { name: "origin.example.com" }, origin_port: 22 };
    await writeFile(at("world.json"), JSON.stringify({ zones: zones("example.com") }));
    expect(await edgeproof(["lint", at("world.json")])).toMatchObject({ code: 0 });
    await writeFile(at("other.json"), JSON.stringify({ zones: zones("example.org") }));
    const { code, out } = await edgeproof(["lint", at("other.json")]);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("error 11050 origin-zone-unknown at /zones/0/proxy/"),
    ]);
    await writeFile(at("broken.json"), JSON.stringify({ zones: [{}] }));
    const broken = await edgeproof(["lint", at("broken.json")]);
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("is not a valid world file:")]);
  });

  test("--fix does not change files of Terraform", async () => {
    const { code, err } = await edgeproof(["lint", at("apps.json"), "--fix"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--fix changes files of applications")]);
  });
});
