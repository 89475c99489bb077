/** Several formats and outputs in one run. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alwaysTrue, projectFolder, worldWith } from "./folder.ts";

const request = { url: "https://api.example.com/", expect: "block" };

describe("--format with files", () => {
  test("each file has what standard output would have", async () => {
    const folder = await projectFolder();
    await folder.write({ "world.json": worldWith(alwaysTrue), "requests.json": [request] });
    const commands = [
      ["check", "world.json"],
      ["eval", "--world", "world.json", "--requests", "requests.json"],
      ["diff", "world.json", "world.json"],
    ];
    for (const words of commands) {
      for (const format of ["text", "json", "sarif", "junit", "github", "gitlab", "markdown"]) {
        const alone = await folder.run([...words, "--format", format]);
        const both = await folder.run([...words, "--format", "text", "--format", `${format}=out.txt`]);
        const text = await folder.run(words);
        const file = await readFile(join(folder.path, "out.txt"), "utf8");
        const timeless = (printed: string) => printed.replaceAll(/time="[\d.]+"/g, "");
        expect([format, both.code, timeless(file)]).toEqual([format, alone.code, timeless(alone.out)]);
        expect(both.out).toBe(text.out);
      }
    }
    const json = await folder.run(["check", "world.json", "--json", "--format", "sarif=a.sarif"]);
    expect(JSON.parse(json.out).command).toBe("check");
    expect(await readdir(folder.path)).toContain("a.sarif");
  });

  test("in the configuration file, paths are relative to it", async () => {
    const folder = await projectFolder();
    await folder.write({
      "world.json": worldWith(),
      "deep/x": "",
      "edgeproof.config.json": {
        worlds: { main: "world.json" },
        options: { format: ["json", "sarif=out.sarif"] },
      },
    });
    const { code, out } = await folder.run(["check"], "deep");
    expect([code, JSON.parse(out).command]).toEqual([0, "check"]);
    expect(await readdir(folder.path)).toContain("out.sarif");
    await folder.write({ "edgeproof.config.json": { options: { format: "sarif=../out.sarif" } } });
    expect((await folder.run(["check", "world.json"])).err).toContain("inside of the repository");
  });

  test.each([
    [["--format", "text", "--format", "sarif"], /prints one format/],
    [["--format", "sarif=a", "--format", "json=a"], /writes the file a twice/],
    [["--format", "sarfi=a"], /found `sarfi`; did you mean `sarif`/],
    [["--format", "sarif="], /found `sarif=`/],
    [["--format", "sarif=no/folder/a"], /the folder does not exist/],
  ])("%j is exit code 2, and nothing is printed", async (words, message) => {
    const folder = await projectFolder();
    await folder.write({ "world.json": worldWith() });
    const { code, out, err } = await folder.run(["check", "world.json", ...words]);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(message)]);
  });
});
