/** Zones without a domain: the command asks for it once, and checks everything that needs no name. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Entry, planFile, zoneId } from "../import/terraform/documents.ts";
import { edgeproof } from "../support/cli.ts";
import { projectFolder } from "./project/folder.ts";

const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
const otherId = "f".repeat(32);
const phase = "http_request_firewall_custom";

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const ruleset = (zone_id: string, expression = "ssl", name = zone_id): Entry => [
  "cloudflare_ruleset",
  `r${name}`,
  { zone_id, kind: "zone", phase, name, rules: [{ action: "block", expression: `not ${expression}` }] },
];
const app = (zone_id: string, dns: string, port = 22): Entry => [
  "cloudflare_spectrum_application",
  `a${zone_id}${port}`,
  {
    zone_id,
    protocol: `tcp/${port}`,
    dns: { type: "CNAME", name: dns },
    origin_direct: ["tcp://192.0.2.1:22"],
  },
];
const named = (...ids: readonly string[]) => ids.map((id) => `--zone-name '${id}=<domain>'`).join(" ");

test("zones with rules alone are asked for once, in one command, and the exit code is that of the rules", async () => {
  const path = await file("rules.json", planFile([ruleset(zoneId), ruleset(otherId)]).text);
  const { code, out, err } = await edgeproof(["check", path, "--partial"]);
  expect([code, out]).toEqual([0, "2 rules: 0 errors, 0 warnings, 0 notes\n"]);
  expect(err).toContain(`No file names the domains of 2 zones: \`${zoneId}\`, \`${otherId}\`.`);
  expect(err).toContain(`\n  run: npx edgeproof check ${path} --partial ${named(zoneId, otherId)}\n`);
  expect((out + err).split("--zone-name")).toHaveLength(3);
  expect((await edgeproof(["check", path])).code).toBe(0);
});

test("a finding in a rule of a zone without a domain is the only reason of exit code 1", async () => {
  const path = await file("wrong.json", planFile([ruleset(zoneId, 'http.request.method eq "get"')]).text);
  const { code, out } = await edgeproof(["check", path]);
  expect([code, out]).toEqual([1, expect.stringMatching(/warning method-format[\s\S]*0 notes\n$/)]);
});

test("names of applications depend on the domain: one undecided case asks for all zones, and standard error for none", async () => {
  const path = await file(
    "apps.json",
    planFile([
      app(zoneId, "a.example.com"),
      app(zoneId, "b.example.com", 23),
      app(otherId, "c.example.org"),
      ruleset("e".repeat(32)),
    ]).text,
  );
  const { code, out, err } = await edgeproof(["check", path]);
  expect(code).toBe(1);
  expect(out.match(/ undecided at /g)).toHaveLength(1);
  expect(out).toContain(`\n  run: npx edgeproof check ${path} ${named(zoneId, otherId, "e".repeat(32))}\n`);
  expect(err).not.toContain("--zone-name");
  const only = await edgeproof(["check", path, "--zone", otherId]);
  expect(only.out).toContain(`--zone ${otherId} ${named(otherId)}\n`);
  const rules = await edgeproof(["check", path, "--only", "tokens"]);
  expect([rules.code, rules.err]).toEqual([
    0,
    expect.stringContaining("Nothing that was checked depends on it."),
  ]);
  const given = [zoneId, otherId, "e".repeat(32)].flatMap((id) => ["--zone-name", `${id}=example.com`]);
  expect((await edgeproof(["check", path, ...given])).out).not.toContain("--zone-name");
});

test("the name of a zone that no file has makes no zone, and the missing one is asked for", async () => {
  const path = await file("mistyped.json", planFile([app(zoneId, "a.example.com")]).text);
  const { code, out } = await edgeproof(["check", path, "--zone-name", "mistyped=example.com"]);
  expect([code, out]).toEqual([
    1,
    expect.stringContaining(`No file names the domain of the zone \`${zoneId}\``),
  ]);
  expect(out).not.toContain("of another zone");
});

test("an application without a zone is undecided although only applications are checked", async () => {
  const { zone_id, ...homeless } = app(zoneId, "a.example.com")[2] as Record<string, unknown>;
  const path = await file(
    "homeless.json",
    planFile([ruleset(zoneId), ruleset(otherId), ["cloudflare_spectrum_application", "lost", homeless]]).text,
  );
  const { code, out } = await edgeproof(["check", path, "--only", "proxy"]);
  expect([code, out]).toEqual([1, expect.stringContaining("does not name the zone")]);
});

test("init names the domains that are missing once, in the command to run next", async () => {
  const project = await projectFolder();
  await project.write({ "plan.json": planFile([ruleset(zoneId), app(zoneId, "a.example.com")]).text });
  const { code, out } = await project.run(["init"]);
  expect([code, out]).toEqual([0, expect.stringContaining(`next: npx edgeproof check ${named(zoneId)}\n`)]);
  expect(out).toContain(`No file names the domain of the zone \`${zoneId}\`.`);
  const words = ["check", "--zone-name", `${zoneId}=example.com`];
  expect((await project.run(words)).code).toBe(0);
  expect((await project.run(["check"])).out).toContain(`run: npx edgeproof check ${named(zoneId)}\n`);
});
