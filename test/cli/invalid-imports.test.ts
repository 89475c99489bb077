/** Files whose resources the service would reject, or contradict each other, are an error in every command, with `--partial` too. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { worldFrom } from "edgeproof/world";
import { beforeAll, describe, expect, test } from "vitest";
import { planFile, rule, stateFile, zone, zoneId } from "../import/terraform/documents.ts";
import { edgeproof } from "../support/cli.ts";

let folder: string;
const at = (name: string) => join(folder, name);

const ruleset = (name: string, expression: string) => {
  const rules = [{ action: "block", expression, enabled: true }];
  const phase = "http_request_firewall_custom";
  return ["cloudflare_ruleset", name, { zone_id: zoneId, name, kind: "zone", phase, rules }] as const;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const zones = ["cloudflare_zone", "z", zone] as const;
  const two = planFile([zones, ruleset("deny", 'http.host eq "a.example.com"'), ruleset("skip", "ssl")]);
  await writeFile(at("two-entry-points.json"), two.text);
  await mkdir(at("different"));
  const saved = (result: object) => JSON.stringify({ success: true, result: [result] });
  await writeFile(at("different/zones.json"), saved(zone));
  await writeFile(at("different/a.json"), saved({ ...rule, expression: "true" }));
  await writeFile(at("different/b.json"), saved({ ...rule, expression: "false" }));
  await writeFile(at("requests.json"), JSON.stringify([{ url: "https://a.example.com/" }]));
  await writeFile(at("traffic.sh"), "curl https://a.example.com/\n");
});

const commands: readonly (readonly [name: string, words: (world: string) => readonly string[]])[] = [
  ["check", (world) => ["check", world]],
  ["lint", (world) => ["lint", world]],
  ["eval", (world) => ["eval", "--world", world, "--requests", at("requests.json")]],
  ["diff", (world) => ["diff", world, world]],
  ["replay", (world) => ["replay", "--world", world, "--against", world, at("traffic.sh")]],
  ["mutate", (world) => ["mutate", "--world", world, "--requests", at("requests.json")]],
  ["serve", (world) => ["serve", "--world", world]],
  ["workbench", (world) => ["workbench", "--world", world]],
  ["suite generate", (world) => ["suite", "generate", "--world", world]],
];

const rulesetOf = (owner: object, rule: object, kind = "zone") => {
  const rules = [{ action: "block", expression: "true", enabled: true, ...rule }];
  const phase = "http_request_firewall_custom";
  return ["cloudflare_ruleset", "waf", { ...owner, name: "waf", kind, phase, rules }] as const;
};

/** Rules that the service would reject, and what the error says. */
const invalidRules: readonly (readonly [
  name: string,
  entry: ReturnType<typeof rulesetOf>,
  message: RegExp,
])[] = [
  ["syntax", rulesetOf({ zone_id: zoneId }, { expression: "(ssl" }), /Expected `\)`/],
  ["type", rulesetOf({ zone_id: zoneId }, { expression: "ssl eq 1" }), /column 5/],
  ["length", rulesetOf({ zone_id: zoneId }, { expression: `${"ssl or ".repeat(600)}ssl` }), /4096/],
  ["action", rulesetOf({ zone_id: zoneId }, { action: "allow" }), /`action` must be/],
  ["logging", rulesetOf({ zone_id: zoneId }, { logging: { enabled: true } }), /`logging` can be used with/],
  [
    "parameters",
    rulesetOf({ zone_id: zoneId }, { action_parameters: { ruleset: "current" } }),
    /not a parameter of the action `block`/,
  ],
  [
    "skip of the phase in an account",
    rulesetOf(
      { account_id: zone.account.id },
      { action: "skip", action_parameters: { phase: "current" } },
      "root",
    ),
    /Only rules of a zone can skip the rest of the phase/,
  ],
];

describe.each(invalidRules)(
  "an invalid rule (%s) of a plan, a state and a world file",
  (name, ruleset, message) => {
    const resources = [["cloudflare_zone", "z", zone] as const, ruleset];

    test("is an error of each command, also with --partial", async () => {
      await writeFile(at(`${name} plan.json`), planFile(resources).text);
      await writeFile(at(`${name} state.json`), stateFile(...resources).text);
      const { world } = worldFrom([planFile(resources)]);
      await writeFile(at(`${name} world.json`), JSON.stringify({ profile: "provider", ...world }));
      for (const kind of ["plan", "state", "world"]) {
        for (const [command, words] of commands) {
          // Rules are not what `lint` checks.
          if (command === "lint") continue;
          const { code, out, err } = await edgeproof([...words(at(`${name} ${kind}.json`)), "--partial"]);
          expect([command, kind, code, out + err]).toEqual([
            command,
            kind,
            1,
            expect.stringMatching(message),
          ]);
        }
      }
    });
  },
);

describe.each(commands)("%s", (_, words) => {
  test.each([
    ["two-entry-points.json", /deny.*skip.*a phase of a zone has one entry point\./],
    ["different", /has different values of `expression` at \S+a\.json:1:\d+ and at \S+b\.json:1:\d+\./],
  ])("rejects %s", async (file, message) => {
    const { code, out, err } = await edgeproof([...words(at(file)), "--partial"]);
    expect(out + err).toMatch(message);
    expect(code).toBe(1);
  });
});

test("world from writes nothing, and exits with 1", async () => {
  const from = (...more: readonly string[]) =>
    edgeproof(["world", "from", at("two-entry-points.json"), "--partial", ...more]);
  const { code, out, err } = await from();
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(
    /: error: .*a phase of a zone has one entry point\.\n.*no world was written; correct the errors first\n$/s,
  );
  const { world, report } = JSON.parse((await from("--json")).out);
  expect(world).toBeUndefined();
  expect(report.invalid).toMatchObject([{ rule: "invalid-resource", level: "error" }]);
});
