/** Many files, folders and standard input for every command that reads a configuration. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  config,
  entry,
  operation,
  planFile,
  rule,
  stateFile,
  zone,
} from "../../import/terraform/documents.ts";
import { alwaysTrue, projectFolder, worldWith } from "./folder.ts";

const base = [entry("zone", "main", zone), entry("config", "web", config)];
const rest = [entry("operation", "o", operation), entry("rule", "enforce", rule)];
const split = { "tf/a.json": stateFile(...base).text, "tf/b.json": stateFile(...rest).text };
const whole = stateFile(...base, ...rest).text;
const withoutFiles = (out: string) => out.replaceAll(/\b(?:whole|tf\/[ab])\.json\b/g, "FILE");
const request = { url: "https://api.example.com/orders" };

describe("Terraform files of one deployment are one world", () => {
  test("as files, as a folder, as a pattern and as a world of the configuration file", async () => {
    const folder = await projectFolder();
    await folder.write({
      ...split,
      "whole.json": whole,
      "other.json": [request],
      "tf/package.json": { name: "x" },
    });
    await folder.write({ "edgeproof.config.json": { worlds: { main: ["tf/*.json"] } } });
    await folder.write({ "tf/package.json": "{}" });
    const casesOf = async (...words: readonly string[]) => {
      const { out, code } = await folder.run(["check", ...words, "--json", "--no-config-file"]);
      return { code, names: JSON.parse(out).cases.map((sample: { name: string }) => sample.name) };
    };
    const expected = await casesOf("whole.json");
    expect(expected.names.length).toBeGreaterThan(2);
    expect(await casesOf("tf/a.json", "tf/b.json")).toEqual(expected);
    expect(await casesOf("tf")).toEqual(expected);
  });

  test("for every command that needs one world", async () => {
    const folder = await projectFolder();
    await folder.write({ ...split, "whole.json": whole, "requests.json": [request] });
    await folder.write({ "edgeproof.config.json": { worlds: { main: ["tf/a.json", "tf/b.json"] } } });
    const commands = [
      ["eval", "--requests", "requests.json", "--world"],
      ["suite", "mutate", "--requests", "requests.json", "--world"],
      ["suite", "generate", "--format", "json", "--world"],
    ];
    for (const words of commands) {
      const alone = await folder.run([...words, "whole.json"]);
      expect(alone.out, words.join(" ")).not.toBe("");
      for (const word of ["main", "tf"]) {
        const merged = await folder.run([...words, word]);
        expect([merged.code, withoutFiles(merged.out)]).toEqual([alone.code, withoutFiles(alone.out)]);
      }
    }
    expect((await folder.run(["diff", "whole.json", "tf"])).code).toBe(0);
    const piped = await folder.run(["check", "-", "tf/b.json"], ".", split["tf/a.json"]);
    expect(piped.err).toContain("-: Terraform state");
    expect(await folder.run(["check", "-", "-"], ".", "{}")).toMatchObject({ code: 2 });
  });

  test("a plan beside a state is read alone", async () => {
    const folder = await projectFolder();
    await folder.write({ "tf/plan.json": planFile([...base, ...rest]).text, "tf/state.json": whole });
    const { err } = await folder.run(["check", "tf"]);
    expect(err).toContain("tf: 1 file read, 1 other file not recognized");
    expect(err).toContain("tf/plan.json: Terraform plan");
  });
});

describe("complete worlds", () => {
  test("are checked one by one, and results name the file", async () => {
    const folder = await projectFolder();
    await folder.write({ "w/a.json": worldWith(), "w/b.yaml": JSON.stringify(worldWith(alwaysTrue)) });
    for (const words of [["w"], ["w/a.json", "w/b.yaml"], ["w/*"]]) {
      const { code, out } = await folder.run(["check", ...words, "--json"]);
      const { cases, diagnostics } = JSON.parse(out);
      expect([code, diagnostics.map((diagnostic: { file: string }) => diagnostic.file)]).toEqual([
        1,
        ["w/b.yaml"],
      ]);
      expect(new Set(cases.map((sample: { location: { file: string } }) => sample.location.file))).toEqual(
        new Set(["w/a.json", "w/b.yaml"]),
      );
    }
    await folder.write({ "r.json": [request] });
    const several = await folder.run(["eval", "--world", "w", "--requests", "r.json"]);
    expect([several.code, several.err]).toEqual([
      2,
      expect.stringContaining("w has 2 worlds (w/a.json, w/b.yaml)"),
    ]);
    for (const [words, command] of [
      ["eval --world=w --requests r.json", "eval --world=w/a.json --requests r.json"],
      ["suite mutate --requests r.json --world w", "suite mutate --requests r.json --world w/a.json"],
      ["diff w/a.json w", "diff w/a.json w/a.json"],
    ] as const)
      expect(await folder.run(words.split(" "))).toMatchObject({
        code: 2,
        err: expect.stringContaining(`name each in turn: \`npx edgeproof ${command}\`\n`),
      });
    await folder.write({ "edgeproof.config.json": { worlds: { both: "w" }, suites: "r.json" } });
    expect((await folder.run(["eval", "--expect", "allow"])).err).toContain(
      "`npx edgeproof eval --expect allow --world w/a.json`",
    );
  });
});

describe("a folder without a configuration", () => {
  test("is exit code 2; links that lead in a circle end", async () => {
    const folder = await projectFolder();
    await folder.write({
      "d/package.json": { name: "x" },
      "d/e/broken.json": "{",
      "d/e/x.yaml": "a: [",
      "empty/x.txt": "",
    });
    await symlink(join(folder.path, "d"), join(folder.path, "d/e/loop"));
    expect(await folder.run(["check", "d"])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(
        "no file in the folder d has a configuration (3 other files not recognized)",
      ),
    });
    expect((await folder.run(["check", "empty"])).err).toContain("(0 other files not recognized)");
    expect((await folder.run(["check", "none*"])).err).toContain("no file matches the pattern");
  });
});
