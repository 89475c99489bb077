/** The language server in a project: the findings are those of `check` with the configuration file, and of Terraform's plans. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { Diagnostic } from "vscode-languageserver/node";
import { config, entry, rule, stateFile, zone } from "../../import/terraform/documents.ts";
import { alwaysTrue, type ProjectFolder, projectFolder, worldWith } from "../project/folder.ts";
import { startEditor, type TestEditor } from "./client.ts";

let editor: TestEditor | undefined;

afterEach(async () => {
  const ended = editor;
  editor = undefined;
  expect(await ended?.end()).toBe(0);
  expect(ended?.errors()).toBe("");
});

interface Finding {
  readonly id: string;
  readonly rule: string;
  readonly message: string;
  readonly file: string;
}

async function checked(folder: ProjectFolder, words: readonly string[] = []): Promise<readonly Finding[]> {
  const { out } = await folder.run(["check", ...words, "--json"]);
  return JSON.parse(out).diagnostics;
}

const configName = "edgeproof.config.json";
const uriOf = (folder: ProjectFolder, name: string) => pathToFileURL(join(folder.path, name)).href;

async function openFile(folder: ProjectFolder, name: string): Promise<string> {
  const uri = uriOf(folder, name);
  editor!.open(
    uri,
    await readFile(join(folder.path, name), "utf8"),
    name.endsWith(".tf") ? "terraform" : "json",
  );
  return uri;
}

const firstLines = (found: readonly Diagnostic[]) =>
  found.map(({ code, message }) => `${code}: ${String(message).split("\n")[0]}`).sort();
const expectedLines = (found: readonly Finding[]) =>
  found.map((finding) => `${finding.rule}: ${finding.message}`).sort();

test("findings that the configuration file accepts are not shown, and are shown when it does not", async () => {
  const folder = await projectFolder();
  await folder.write({
    "world.json": worldWith(alwaysTrue),
    [configName]: { worlds: { main: "world.json" } },
  });
  const [finding, ...others] = await checked(folder);
  expect(others).toEqual([]);
  editor = await startEditor(folder.path);
  const uri = await openFile(folder, "world.json");
  const shown = await editor.findings(uri, 1, (all) => all.length > 0);
  expect(firstLines(shown)).toEqual(expectedLines([finding!]));
  const accepted = [{ id: finding!.id, reason: "known" }];
  await folder.write({ [configName]: { worlds: { main: "world.json" }, accepted } });
  editor.forget();
  editor.changed(join(folder.path, configName));
  await editor.findings(uri, 1, (all) => all.length === 0);
  await folder.write({ [configName]: { worlds: { main: "world.json" } } });
  editor.forget();
  editor.changed(join(folder.path, configName));
  expect(await editor.findings(uri, 1, (all) => all.length > 0)).toEqual(shown);
  expect(editor.messages()).toEqual([]);
});

test("accepted errors of expressions, which are found without the analysis, are not shown", async () => {
  const folder = await projectFolder();
  const [first, second] = [worldWith("http.host eqq 1"), worldWith("http.host eqq 1", "example.org")];
  const worlds = { main: "world.json" };
  await folder.write({
    "world.json": { zones: [...first.zones, ...second.zones] },
    [configName]: { worlds },
  });
  const [finding, ...others] = (await checked(folder)).filter(({ rule }) => rule === "invalid");
  expect(others).toHaveLength(1);
  const accepted = [{ id: finding!.id, reason: "known" }];
  await folder.write({ [configName]: { worlds, accepted } });
  editor = await startEditor(folder.path);
  const uri = await openFile(folder, "world.json");
  const isInvalid = ({ code }: Diagnostic) => code === "invalid";
  const [shown] = (await editor.findings(uri, 1, (all) => all.filter(isInvalid).length === 1)).filter(
    isInvalid,
  );
  expect(shown!.range.start.character).toBeGreaterThan(first.zones[0] ? JSON.stringify(first).length : 0);
});

test("a baseline and options of the configuration file are those of `check`, and nothing is written", async () => {
  const folder = await projectFolder();
  const worlds = { main: "w/world.json" };
  await folder.write({ "w/world.json": worldWith(alwaysTrue), [configName]: { worlds } });
  await folder.run(["check", "--write-baseline", "baseline.json"]);
  const check = { baseline: "baseline.json", html: "written.html", "write-baseline": "written.json" };
  const [first, second] = [worldWith(alwaysTrue), worldWith(alwaysTrue, "example.org")];
  const zones = [...first.zones, ...second.zones];
  await folder.write({ "w/world.json": { zones }, [configName]: { worlds, commands: { check } } });
  editor = await startEditor(folder.path);
  const found = await editor.findings(await openFile(folder, "w/world.json"), 1, (all) => all.length > 0);
  expect(firstLines(found)).toEqual(
    expectedLines(await checked(folder, ["--no-html", "--no-write-baseline"])),
  );
  expect(found).toHaveLength(1);
  for (const name of ["written.html", "written.json"])
    await expect(readFile(join(folder.path, name))).rejects.toThrow("ENOENT");
});

test("an invalid configuration file is one message, and leaves the findings without it", async () => {
  const folder = await projectFolder();
  await folder.write({
    "world.json": worldWith(alwaysTrue),
    "other.json": worldWith(alwaysTrue),
    [configName]: { wolds: {} },
  });
  editor = await startEditor(folder.path);
  for (const name of ["world.json", "other.json"]) {
    const uri = await openFile(folder, name);
    expect(await editor.findings(uri, 1, (all) => all.length > 0)).toHaveLength(1);
  }
  const [message, ...more] = editor.messages();
  expect([message, more]).toEqual([
    expect.stringMatching(
      /^edgeproof: \/.*\n.*edgeproof\.config\.json:1:10: \/wolds: `wolds` is not a member; did you mean `worlds`/,
    ),
    [],
  ]);
});

test("a configuration file with code is not executed, and files outside of the repository are not read", async () => {
  const folder = await projectFolder();
  const outside = await projectFolder(false);
  await outside.write({ "baseline.json": { findings: [] } });
  const code = `require("fs").writeFileSync(${JSON.stringify(join(folder.path, "ran"))}, "")`;
  await folder.write({ "world.json": worldWith(alwaysTrue), "edgeproof.config.cjs": code });
  editor = await startEditor(folder.path);
  const uri = await openFile(folder, "world.json");
  expect(await editor.findings(uri, 1, (all) => all.length > 0)).toHaveLength(1);
  expect(editor.messages()).toEqual([expect.stringContaining("edgeproof.config.cjs is not read")]);
  await expect(readFile(join(folder.path, "ran"))).rejects.toThrow("ENOENT");
  const baseline = join(outside.path, "baseline.json");
  await folder.write({
    "sub/world.json": worldWith(alwaysTrue),
    [`sub/${configName}`]: { commands: { check: { baseline } } },
  });
  const [found] = await editor.findings(await openFile(folder, "sub/world.json"), 1, (all) => all.length > 0);
  expect(found!.message).toContain("is outside of the workspace, and not read in an editor");
});

const resource = (type: string, name: string, body = "") =>
  `resource "cloudflare_${type}" "${name}" {\n${body}}\n`;

test("sources of Terraform have the findings of `check` of their folder, at the blocks of resources", async () => {
  const folder = await projectFolder();
  const always = { ...rule, expression: `${rule.expression} or not ${rule.expression}` };
  const second = { ...rule, id: "8f1b7a64-2d35-4c5b-9a8e-0d8f2f6f0c12", title: "Second" };
  const wrong = {
    ...rule,
    id: "9f1b7a64-2d35-4c5b-9a8e-0d8f2f6f0c12",
    title: "Wrong",
    expression: "http.host eqq 1",
  };
  const state = stateFile(
    entry("zone", "main", zone),
    entry("config", "web", config),
    entry("rule", "enforce", always),
    entry("rule", "second", second),
    entry("rule", "wrong", wrong),
    entry("app", "ssh", {
      zone_id: zone.id,
      protocol: "tcp/22",
      dns: { type: "CNAME", name: "ssh.example.com" },
      origin_port: 99999,
    }),
  );
  const files = {
    "infra/rules.tf":
      resource("token_validation_rules", "enforce") +
      resource("token_validation_rules", "second") +
      resource("token_validation_rules", "wrong", '  expression = "http.host eqq 1"\n'),
    "infra/zone.tf": resource("zone", "main") + resource("token_validation_config", "web"),
    "infra/apps/main.tf": resource("spectrum_application", "ssh"),
  };
  await folder.write({ "infra/state.json": state.text, ...files });
  const expected = await checked(folder, ["infra"]);
  expect(new Set(expected.map(({ file }) => file))).toEqual(
    new Set(["infra/rules.tf", "infra/apps/main.tf"]),
  );
  editor = await startEditor(folder.path);
  for (const name of Object.keys(files)) {
    const own = expectedLines(expected.filter(({ file }) => file === name));
    const found = await editor.findings(await openFile(folder, name), 1, (all) => all.length >= own.length);
    expect([name, firstLines(found)]).toEqual([name, own]);
  }
  const uri = uriOf(folder, "infra/rules.tf");
  const moved = `# A line more.\n${files["infra/rules.tf"]}`;
  editor.change(uri, 2, moved);
  const found = await editor.findings(uri, 2, (all) => all.some(({ code }) => code === "always-true"));
  const first = found.find(({ code }) => code === "always-true")!;
  expect(first.range.start.line).toBe(1);
  // The state is written again, without the rule that is always true.
  await folder.write({
    "infra/state.json": stateFile(
      entry("zone", "main", zone),
      entry("config", "web", config),
      entry("rule", "second", second),
    ).text,
  });
  editor.forget();
  editor.changed(join(folder.path, "infra/state.json"));
  await editor.findings(uri, 2, (all) => all.every(({ code }) => code === "invalid"));
  expect(editor.messages()).toEqual([]);
});
