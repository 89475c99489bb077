/** The configuration file of a project: where it is found, what it may say, and what commands do with it. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alwaysTrue, projectFolder, worldWith } from "./folder.ts";

const request = { url: "https://api.example.com/", expect: "block" };

describe("where the file is found", () => {
  test("in the current folder or above it, up to the repository", async () => {
    const folder = await projectFolder();
    await folder.write({
      "edgeproof.config.yaml": "worlds:\n  main: infra/world.json\nsuites: suites/*.json\n",
      "infra/world.json": worldWith(),
      "suites/a.json": [request],
      "suites/b.json": [request, { ...request, url: "https://api.example.com/b" }],
      "deep/er/x.txt": "",
    });
    for (const inner of [".", "deep/er"]) {
      const { code, out, err } = await folder.run(["eval", "--json"], inner);
      expect([code, err, JSON.parse(out).length]).toEqual([0, "", 3]);
    }
    expect((await folder.run(["eval", "--json", "--no-config-file"])).err).toContain("--world is missing");
    const named = await folder.run(["check", "--config-file", "../edgeproof.config.yaml"], "deep");
    expect([named.code, named.err]).toEqual([0, ""]);
  });

  test("not above a repository, and outside of one only in the current folder", async () => {
    const folder = await projectFolder(false);
    await folder.write({
      "edgeproof.config.json": { worlds: { main: "world.json" } },
      "world.json": worldWith(),
      "repository/.git/x": "",
      "inner/x": "",
    });
    expect((await folder.run(["check"])).code).toBe(0);
    for (const inner of ["repository", "inner"])
      expect((await folder.run(["check"], inner)).err).toContain("`file` is missing");
  });

  test("two files in a folder, and names that are not read, are errors", async () => {
    const folder = await projectFolder();
    await folder.write({ "edgeproof.config.js": "throw 1" });
    expect(await folder.run(["check"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not read"),
    });
    await folder.write({ "edgeproof.config.json": {} });
    expect((await folder.run(["check"])).err).toContain("`file` is missing");
    await folder.write({ "edgeproof.config.yaml": "{}" });
    expect(await folder.run(["check"])).toMatchObject({ code: 2, err: expect.stringContaining("keep one") });
    expect((await folder.run(["explain", "always-true"])).code).toBe(0);
  });
});

test("a file that does not exist is exit code 2, with its place in the file or the names of the worlds", async () => {
  const folder = await projectFolder();
  await folder.write({ "edgeproof.config.yaml": "worlds:\n  main: nowhere.json\n  test: world.json\n" });
  const missing = "edgeproof: cannot read nowhere.json: the file does not exist";
  for (const words of [["check"], ["eval", "--world", "main", "https://a.example.com/"]])
    expect(await folder.run(words)).toMatchObject({
      code: 2,
      err: `${missing}; edgeproof.config.yaml:2:9: /worlds/main names it\n`,
    });
  expect(await folder.run(["check", "mian"])).toMatchObject({
    code: 2,
    err: "edgeproof: cannot read mian: the file does not exist; worlds of edgeproof.config.yaml: main, test\n",
  });
});

describe("a mistake is exit code 2 with its place", () => {
  test.each<[string, unknown, RegExp]>([
    ["a member", { wolrds: {} }, /\/wolrds: .*did you mean `worlds`/],
    ["an option at the top", { "fail-on": "error" }, /options are in `options`, or in `commands`/],
    ["worlds in the singular", { world: "a.json" }, /\/world: .*did you mean `worlds`/],
    ["worlds without names", { worlds: "a.json" }, /\/worlds: it must be an object .*`main: plan\.json`/],
    ["a shared option", { options: { profil: "spec" } }, /\/options\/profil: .*did you mean `profile`/],
    [
      "an option of one command",
      { options: { openapi: "a" } },
      /option of `check` only; put it in `commands`/,
    ],
    ["an option with several meanings", { options: { data: "a.db" } }, /differs between `workbench`/],
    ["a command", { commands: { chekc: {} } }, /did you mean `check`/],
    ["an option of a command", { commands: { check: { "fial-on": "error" } } }, /did you mean `fail-on`/],
    ["camel case", { commands: { check: { failOn: "error" } } }, /did you mean `fail-on`/],
    [
      "a value",
      { commands: { check: { "fail-on": "eror" } } },
      /`fail-on` must be .*found `eror`; did you mean `error`/,
    ],
    ["the type of a switch", { options: { partial: "yes" } }, /must be `true` or `false`/],
    ["the type of a value", { commands: { check: { openapi: {} } } }, /a string or a number/],
    ["null", { commands: { check: null } }, /must be an object/],
    ["a list", [], /must be an object/],
    ["a world without files", { worlds: { main: [] } }, /the path of a file or folder/],
    ["the name of a world", { worlds: { "a/b": "c" } }, /the name of a world/],
    ["standard input as a world", { worlds: { main: "-" } }, /the path of a file or folder/],
    [
      "arguments that are not files",
      { commands: { "brand variants": { arguments: "a" } } },
      /no files as arguments/,
    ],
    ["a secret", { commands: { "images sign": { key: "abc" } } }, /is a secret, and cannot be in a file/],
    [
      "where a token is sent",
      { commands: { "world pull": { "base-url": "https://a.example" } } },
      /API token/,
    ],
    ["a password", { commands: { serve: { data: "postgres://u:hunter2@h/d" } } }, /has a password/],
    ["a file to write outside", { commands: { check: { html: "../x.html" } } }, /inside of the repository/],
    ["an absolute one", { commands: { eval: { "coverage-out": "/etc/x" } } }, /inside of the repository/],
    [
      "the option of the file itself",
      { commands: { check: { "config-file": "a" } } },
      /names the file itself/,
    ],
    [
      "two forms",
      { options: {}, commands: { check: { format: "sarif", json: true } } },
      /exclude each other/,
    ],
  ])("%s", async (_title, content, message) => {
    const folder = await projectFolder();
    await folder.write({ "edgeproof.config.json": content, "world.json": worldWith() });
    for (const words of [
      ["check", "world.json"],
      ["config", "print"],
    ]) {
      const { code, out, err } = await folder.run(words);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(message);
      expect(err).not.toContain("hunter2");
      expect(err).toMatch(/edgeproof\.config\.json:1:\d+: \//);
    }
  });

  test("a syntax error, and a link that leads outside", async () => {
    const folder = await projectFolder();
    await folder.write({ "edgeproof.config.yaml": "worlds: [\n" });
    expect(await folder.run(["check"])).toMatchObject({ code: 2, err: expect.stringContaining("not YAML") });
    await symlink("/tmp", join(folder.path, "out"));
    await folder.write({ "edgeproof.config.yaml": "commands: {check: {html: out/x.html}}\n" });
    expect((await folder.run(["check"])).err).toContain("inside of the repository");
  });
});

describe("worlds", () => {
  test("check reports on every world by itself; commands of one world say which there are", async () => {
    const folder = await projectFolder();
    await folder.write({
      "edgeproof.config.yaml": "worlds:\n  good: a.json\n  bad: [b.json]\nsuites: r.json\n",
      "a.json": worldWith(),
      "b.json": worldWith(alwaysTrue, "example.net"),
      "r.json": [request],
    });
    const all = await folder.run(["check", "--json"]);
    const { cases } = JSON.parse(all.out);
    expect(all.code).toBe(1);
    expect([...new Set(cases.map((sample: { group: string }) => sample.group))]).toEqual([
      "example-com",
      "example-net",
    ]);
    expect((await folder.run(["check", "good"])).code).toBe(0);
    expect(await folder.run(["eval"])).toMatchObject({ code: 2, err: expect.stringContaining("good, bad") });
    expect((await folder.run(["eval", "--world", "good"])).code).toBe(0);
  });

  test("the command line has precedence, and `--no-` leaves out an option", async () => {
    const folder = await projectFolder();
    await folder.write({
      "edgeproof.config.yaml":
        "worlds: {main: bad.json}\ncommands:\n  check: {fail-on: error, only: [tokens], json: true, issuer: https://a.example}\n",
      "bad.json": worldWith(alwaysTrue),
      "good.json": worldWith(),
      "jwks.json": { keys: [] },
    });
    expect(await folder.run(["check"])).toMatchObject({ code: 0, out: expect.stringMatching(/^\{/) });
    expect((await folder.run(["check", "--fail-on", "warning", "--format", "text"])).code).toBe(1);
    expect((await folder.run(["check", "--no-fail-on"])).code).toBe(1);
    expect((await folder.run(["check", "good.json", "--no-fail-on"])).code).toBe(0);
    const conflict = await folder.run(["check", "--jwks", "jwks.json"]);
    expect(conflict.err).toMatch(/found both.*edgeproof.config.yaml gives .*--issuer/);
  });
});

describe("config print", () => {
  test("shows each value with its origin", async () => {
    const folder = await projectFolder();
    expect(await folder.run(["config", "print"])).toMatchObject({ code: 1 });
    await folder.write({
      "edgeproof.config.yaml":
        "worlds:\n  main: a.json\noptions:\n  profile: provider\ncommands:\n  check:\n    fail-on: error\n",
    });
    const file = await folder.run(["config", "print"]);
    expect(file.code).toBe(0);
    expect(file.out).toContain("world main a.json  (edgeproof.config.yaml:2:9)");
    expect(file.out).toMatch(
      /^check\n {2}--fail-on error {2}\(edgeproof.config.yaml:7:14\)\n {2}--profile provider/m,
    );
    const line = await folder.run(["config", "print", "--", "check", "--profile", "spec", "--zone", "z"]);
    expect(line.out).toContain("--profile spec  (command line)");
    expect(line.out).toContain("--fail-on error  (edgeproof.config.yaml:7:14)");
    expect(line.out).toContain("--format text  (default)");
    expect(line.out).toContain("arguments main  (edgeproof.config.yaml:2:9)");
    expect((await folder.run(["config", "print", "--", "world"])).code).toBe(2);
  });
});
