/** The output of `--help`, suggestions for mistyped words, and colors. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands/commands.ts";
import { earlierNames, groups } from "../../src/cli/names.ts";
import { colorLines, wantsColor } from "../../src/cli/output/color.ts";
import { edgeproof } from "../support/cli.ts";

const long = (out: string) => out.split("\n").filter((line) => line.length > 80);

describe("--help", () => {
  test("lists every command by its first word, in lines of at most 80 characters", async () => {
    const { out } = await edgeproof(["--help"]);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name.split(" ")[0]} `, "m"));
    expect(long(out)).toEqual([]);
  });

  test.each(Object.keys(groups))("%s: lists its subcommands", async (group) => {
    const { out, code } = await edgeproof([...group.split(" "), "--help"]);
    const own = commands.filter(({ name }) => name.startsWith(`${group} `));
    for (const { summary, name } of own)
      expect(out.replaceAll(/\s+/g, " ")).toContain(`${name.slice(group.length + 1)} ${summary}`);
    expect([code, long(out), (await edgeproof(group.split(" "))).out]).toEqual([0, [], out]);
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    "%s: shows description, options, exit codes and examples, in lines of at most 80 characters",
    async (name, { about, options, exits, examples }) => {
      const { code, out } = await edgeproof([...name.split(" "), "--help"]);
      expect(code).toBe(0);
      expect(about.length).toBeGreaterThan(0);
      for (const [option, { letter }] of Object.entries(options))
        expect(out).toContain(`  ${letter === undefined ? "" : `-${letter}, `}--${option}`);
      for (const exit of Object.keys(exits)) expect(out).toMatch(new RegExp(`^  ${exit} +\\S`, "m"));
      const joined = out.replaceAll(/ \\\n {4}/g, " ");
      for (const example of examples) expect(joined).toContain(`  ${example}\n`);
      expect(long(out)).toEqual([]);
      expect((await edgeproof(["help", ...name.split(" ")])).out).toBe(out);
    },
  );

  test("a package that is missing is exit code 3 in each command", () => {
    for (const { name, exits } of commands)
      expect([
        name,
        Object.entries(exits)
          .filter(([, text]) => /\bpackage/.test(text))
          .map(([code]) => code),
      ]).toEqual([name, ["3"]]);
  });

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

describe("names of earlier versions", () => {
  test.each(Object.entries(earlierNames))("%s runs %s, and says so in one line", async (earlier, name) => {
    const words = groups[earlier] === undefined ? [earlier] : [earlier, "./file.json"];
    const { out, err } = await edgeproof([...words, "--help"]);
    expect(out).toBe((await edgeproof([...name.split(" "), "--help"])).out);
    expect(err).toBe(`edgeproof: \`${earlier}\` is now \`${name}\`; the earlier name will be removed\n`);
  });

  test("a file that is named like a subcommand is given with its folder", async () => {
    expect((await edgeproof(["world", "./from"])).err).toContain("cannot read ./from");
    expect((await edgeproof(["world", "from"])).err).toContain("expected at least 1 file");
    expect((await edgeproof(["world", "form"])).err).toContain("did you mean `from`?");
  });
});

describe("a mistyped word is answered with a suggestion", () => {
  test.each<[string[], string]>([
    [["evla"], "`eval`"],
    [["chekc"], "`check`"],
    [["--versoin"], "`--version`"],
    [["hlep"], "`help`"],
    [["brand", "mtch"], "`match`"],
    [["queue", "dead", "lst"], "`list`"],
    [["help", "imges"], "`images`"],
    [["brand", "match", "--patern", "x"], "`--pattern`"],
    [["check", "--jsno"], "`--json`"],
    [["check", "a.json", "--format", "sarfi"], "`sarif`"],
    [["images", "render", "a.png", "b.webp", "--fit", "covre"], "`cover`"],
    [["brand", "variants", "a.com", "--kind", "homoglif"], "`homoglyph`"],
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
    expect(sources.length).toBeGreaterThan(20);
    for (const name of sources)
      expect(readFileSync(`src/cli/commands/${name}`, "utf8")).not.toMatch(/\\u001b|\\x1b/);
  });
});
