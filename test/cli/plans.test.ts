/** Plans of zones in commands: `--plan`, the plan of a file, and the configuration file. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planFile, zone, zoneId } from "../import/terraform/documents.ts";
import { edgeproof } from "../support/cli.ts";
import { projectFolder } from "./project/folder.ts";

const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
const phase = "http_request_firewall_custom";

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const rules = [{ action: "block", expression: 'http.request.uri.path matches "^/admin"' }];
const rulesets = [{ kind: "zone", phase, rules }];
const world = {
  zones: [
    { id: "open", name: "a.example", rulesets },
    { id: "paid", name: "b.example", plan: "enterprise", rulesets },
  ],
};
const worldFile = await file("world.json", world);
const planOf = (plan?: string) =>
  planFile([
    ["cloudflare_zone", "z", { ...zone, ...(plan && { plan: { legacy_id: plan } }) }],
    ["cloudflare_ruleset", "waf", { zone_id: zoneId, kind: "zone", phase, name: "waf", rules }],
  ]).text;

const needed = "The rules of the zone need the plan Business or Enterprise, for `matches`.";
const lacking = "`matches` needs the plan Business or Enterprise; the zone has Pro.";

test("--plan is the plan of zones that have none, and does not replace one of the file", async () => {
  const without = await edgeproof(["check", worldFile]);
  expect(without.code).toBe(0);
  expect(without.out.split("note plan-needed")).toHaveLength(2);
  expect(without.out).toContain(needed);
  const enough = await edgeproof(["check", worldFile, "--plan", "business"]);
  expect([enough.code, enough.out]).toEqual([0, expect.not.stringContaining("plan-")]);
  const less = await edgeproof(["check", worldFile, "--plan", "pro", "--profile", "provider"]);
  expect([less.code, less.out]).toEqual([1, expect.stringContaining("1 error, 0 warnings, 0 notes")]);
  expect(less.out).toContain(`error plan-feature at /zones/0/rulesets/0/rules/0/expression`);
  expect(less.out).toContain(lacking);
});

test("what a plan lacks is a warning in profile spec, and an error in profile provider", async () => {
  const line = ["check", worldFile, "--plan", "pro"];
  expect((await edgeproof(line)).out).toContain("warning plan-feature");
  expect((await edgeproof([...line, "--fail-on", "error"])).code).toBe(0);
  expect((await edgeproof([...line, "--profile", "provider", "--fail-on", "error"])).code).toBe(1);
});

test("the plan of a zone in a Terraform plan is known, and --plan says it otherwise", async () => {
  const known = await edgeproof([
    "check",
    await file("known.json", planOf("pro")),
    "--plan",
    "enterprise",
    "--partial",
  ]);
  expect([known.code, known.out]).toEqual([1, expect.stringContaining(lacking)]);
  const unknown = await file("unknown.json", planOf());
  expect((await edgeproof(["check", unknown])).out).toContain(needed);
  const given = await edgeproof(["check", unknown, "--plan", "pro"]);
  expect([given.code, given.out]).toEqual([1, expect.stringContaining("error plan-feature")]);
});

test("a plan stays in a world that is made with --plan, and rules read it", async () => {
  const made = (plan: string, path: string) => edgeproof(["world", "from", path, "--plan", plan]);
  const path = await file("made.json", planOf());
  expect(JSON.parse((await made("enterprise", path)).out).zones).toMatchObject([
    { id: zoneId, plan: "enterprise" },
  ]);
  expect(await made("pro", path)).toMatchObject({ code: 1, out: "", err: expect.stringContaining(lacking) });
  const reads = {
    zones: [
      {
        id: "z",
        name: "a.example",
        rulesets: [{ ...rulesets[0], rules: [{ action: "block", expression: 'cf.zone.plan eq "BIZ"' }] }],
      },
    ],
  };
  const requests = await file("requests.json", [{ url: "https://a.example/", expect: "block" }]);
  const line = ["eval", "--world", await file("reads.json", reads), "--requests", requests];
  expect((await edgeproof([...line, "--plan", "business"])).code).toBe(0);
  expect((await edgeproof(line)).code).toBe(1);
});

test("the configuration file can have the plan for all commands", async () => {
  const project = await projectFolder();
  await project.write({
    "world.json": world,
    "edgeproof.config.yaml": "worlds: {main: world.json}\noptions: {plan: pro, profile: provider}\n",
  });
  const { code, out } = await project.run(["check"]);
  expect([code, out]).toEqual([1, expect.stringContaining(lacking)]);
});

test("the rules about plans are explained, and an unknown plan is invalid usage", async () => {
  for (const id of ["plan-feature", "plan-limit", "plan-needed"])
    expect((await edgeproof(["explain", id])).out).toContain(id);
  const { code, err } = await edgeproof(["check", worldFile, "--plan", "biz"]);
  expect([code, err]).toEqual([2, expect.stringContaining("`free`, `pro`, `business` or `enterprise`")]);
});
