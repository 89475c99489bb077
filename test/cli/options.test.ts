/** Options of every command, from their declarations: names of earlier versions, and letters. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands/commands.ts";
import type { Command, Option } from "../../src/cli/declare.ts";
import { sortWords } from "../../src/cli/parse.ts";
import { temporaryFolder } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";

const all = commands.flatMap((command) =>
  Object.entries(command.options).map(([name, option]) => ({ command, name, option })),
);

const valueFor = ({ value, choices = ["1"] }: Option<unknown>) =>
  value === undefined ? [] : [choices[0] ?? "1"];

function sorted(command: Command, words: readonly string[]) {
  const { given, unset, others, earlier } = sortWords(command, words);
  return { given: [...given], unset: [...unset], others, earlier: [...earlier] };
}

describe("names of earlier versions", () => {
  const earlier = all.flatMap((option) =>
    option.option.earlierName === undefined ? [] : [{ ...option, earlierName: option.option.earlierName }],
  );
  test.each(earlier)(
    "--$earlierName of $command.name is --$name",
    ({ command, name, option, earlierName }) => {
      const value = valueFor(option);
      expect(sorted(command, [`--${earlierName}`, ...value])).toEqual({
        ...sorted(command, [`--${name}`, ...value]),
        earlier: [name],
      });
      expect(sorted(command, [`--no-${earlierName}`]).unset).toEqual([name]);
      expect(Object.keys(command.options)).not.toContain(earlierName);
    },
  );

  test("a note on standard error has the name of now, and a configuration file can have both", async () => {
    const folder = await temporaryFolder();
    const at = (name: string) => join(folder, name);
    await writeFile(at("world.json"), JSON.stringify({ zones: [{ id: "z", name: "example.com" }] }));
    await writeFile(at("requests.json"), JSON.stringify({ url: "https://example.com/" }));
    const words = ["eval", "--world", at("world.json"), "--request", at("requests.json")];
    expect((await edgeproof(words)).err).toContain(
      "edgeproof: `--request` is now `--requests`; the earlier name will be removed\n",
    );
    const config = at("edgeproof.config.json");
    for (const name of ["request", "requests"]) {
      await writeFile(config, JSON.stringify({ commands: { eval: { [name]: "requests.json" } } }));
      const found = await edgeproof(["eval", "--config-file", config, "--world", at("world.json"), "--json"]);
      expect([found.code, JSON.parse(found.out)], await readFile(config, "utf8")).toEqual([
        0,
        [expect.objectContaining({ url: "https://example.com/" })],
      ]);
    }
  });
});

const letters = all.flatMap((option) =>
  option.option.letter === undefined ? [] : [{ ...option, letter: option.option.letter }],
);

test.each(letters)("-$letter of $command.name is --$name", ({ command, name, option, letter }) => {
  const value = valueFor(option);
  const expected = sorted(command, [`--${name}`, ...value]);
  expect(sorted(command, [`-${letter}`, ...value])).toEqual(expected);
  if (value.length > 0) expect(sorted(command, [`-${letter}${value[0]}`])).toEqual(expected);
  const same = letters.filter((other) => other.command === command && other.letter === letter);
  expect([same.length, letter]).toEqual([1, expect.stringMatching(/^[A-Zabdu]$/)]);
});

test("the requests of commands, and the port of the page of a command, have one name each", () => {
  const ofRequests = all.filter(({ option }) => option.from === "suites").map(({ name }) => name);
  expect(new Set(ofRequests)).toEqual(new Set(["requests"]));
  const ofWorlds = all.filter(({ option }) => option.from === "worlds").map(({ name }) => name);
  expect(new Set(ofWorlds)).toEqual(new Set(["world"]));
  for (const command of commands)
    if (
      Object.keys(command.options).some((name) => /(?:^|-)port$/.test(name)) &&
      command.name !== "queue work"
    )
      expect(Object.keys(command.options)).toContain("port");
});
