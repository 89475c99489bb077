/** The output of `--help`, suggestions for mistyped words, and colors. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { groups } from "../../src/cli/command.ts";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { colorLines, wantsColor } from "../../src/cli/output/color.ts";
import { edgeproof } from "../support/cli.ts";

const commands = await loadCommands();

describe("--help", () => {
  test("lists every command under its group", async () => {
    const { out } = await edgeproof(["--help"]);
    for (const title of Object.values(groups)) expect(out).toContain(`\n${title}:\n`);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    "%s: shows description, options, exit codes and examples, in lines of at most 102 characters",
    async (name, { about, options, exits, examples }) => {
      const { code, out } = await edgeproof([name, "--help"]);
      expect(code).toBe(0);
      expect(about.length).toBeGreaterThan(0);
      for (const option of Object.keys(options)) expect(out).toContain(`  --${option}`);
      for (const exit of Object.keys(exits)) expect(out).toMatch(new RegExp(`^  ${exit} +\\S`, "m"));
      for (const example of examples) expect(out).toContain(`  ${example}\n`);
      const long = out.split("\n").filter((line) => line.length > 102 && !line.startsWith("  e"));
      expect(long.filter((line) => !examples.includes(line.trim()))).toEqual([]);
    },
  );

  test("the examples use only options of their command", () => {
    for (const { name, options, examples } of commands) {
      for (const line of examples.filter((example) => example.includes(`edgeproof ${name}`))) {
        const own = line.slice(line.indexOf(`edgeproof ${name}`)).split("|")[0]!;
        const words = [...own.matchAll(/(?<= )--([a-z-]+)/g)].map(([, word]) => word!);
        expect(
          words.filter((word) => !Object.hasOwn(options, word)),
          line,
        ).toEqual([]);
      }
    }
  });
});

describe("a mistyped word is answered with a suggestion", () => {
  test.each<[string[], string]>([
    [["evla"], "`eval`"],
    [["chekc"], "`check`"],
    [["--versoin"], "`--version`"],
    [["hlep"], "`help`"],
    [["help", "rendr"], "`render`"],
    [["match", "--patern", "x"], "`--pattern`"],
    [["check", "--jsno"], "`--json`"],
    [["check", "a.json", "--format", "sarfi"], "`sarif`"],
    [["render", "a.png", "b.webp", "--fit", "covre"], "`cover`"],
    [["variants", "a.com", "--kind", "homoglif"], "`homoglyph`"],
  ])("%j", async (words, suggestion) => {
    const { code, err, out } = await edgeproof(words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`did you mean ${suggestion}?`);
  });
});

describe("colors", () => {
  test.each<[boolean, Record<string, string>, boolean]>([
    [true, {}, true],
    [true, { NO_COLOR: "" }, true],
    [true, { NO_COLOR: "1" }, false],
    [true, { TERM: "dumb" }, false],
    [false, {}, false],
  ])("terminal %s, environment %j: %s", (isTerminal, env, expected) => {
    expect(wantsColor(isTerminal, env)).toBe(expected);
  });

  const text = "block  GET /\nallow  x block\na.json:1:2: error here\nblocked\n";
  const output = { write: () => {}, isTerminal: true };

  test("color verdicts and severities, and no other words", () => {
    const painted = colorLines({ ...output, hasColor: true }, text);
    expect(painted).toBe(
      "\u001b[31mblock\u001b[0m  GET /\n\u001b[32mallow\u001b[0m  x block\na.json:1:2: \u001b[31merror\u001b[0m here\nblocked\n",
    );
    expect(colorLines(output, text)).toBe(text);
  });

  test("are not printed unless the output asks for them", async () => {
    const { out } = await edgeproof(["demo"]);
    expect(out).not.toContain("\u001b");
  });

  test("are written by output/color.ts only", () => {
    const files = readdirSync("src/cli/commands", { recursive: true, encoding: "utf8" });
    const sources = files.filter((name) => name.endsWith(".ts"));
    expect(sources.length).toBeGreaterThan(commands.length);
    for (const name of sources)
      expect(readFileSync(`src/cli/commands/${name}`, "utf8")).not.toMatch(/\\u001b|\\x1b/);
  });
});
