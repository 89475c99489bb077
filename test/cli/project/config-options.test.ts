/** Every option of the command line can stand in a configuration file, and the command line has precedence. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { commands } from "../../../src/cli/commands/commands.ts";
import type { Command, Option } from "../../../src/cli/declare.ts";
import { readWords, sortWords } from "../../../src/cli/parse.ts";
import { readConfigFile } from "../../../src/cli/project/config-file.ts";
import { configJsonSchema } from "../../../src/cli/project/config-schema.ts";
import { configurable, isSwitch, sharedOptions } from "../../../src/cli/project/members.ts";
import { settingsOf } from "../../../src/cli/project/settings.ts";
import { projectFolder } from "./folder.ts";

const words = [
  ...["1", "2", "a", "b", "a=b.example", "c=d.example", "rulesPerZone=5", "rulesPerZone=6", "com", "org"],
  ...["https://a.example", "https://b.example", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "nats://h"],
  ...["a.b", "c.d", "0.5", "0.6", "jpeg", "webp", "sarif=a", "text"],
];

/** Two different values of an option, as words. */
function samplesOf(option: Option<unknown>): readonly string[] {
  const found = [...(option.choices ?? []), ...words].filter((word) => {
    try {
      option.read([word], "--x");
      return true;
    } catch {
      return false;
    }
  });
  return found.slice(0, 2);
}

const own = configurable(commands).flatMap((command) =>
  Object.entries(command.options)
    .filter(([, { notInFile, shortFor }]) => notInFile === undefined && shortFor === undefined)
    .map(([name, option]) => [`${command.name} --${name}`, command, name, option] as const),
);

const folder = await projectFolder();
const validate = new Ajv2020({ strict: false }).compile(configJsonSchema(commands));
const io = {
  stdin: (async function* () {})(),
  stdout: { isTerminal: false, write: () => {} },
  stderr: { isTerminal: false, write: () => {} },
  signal: new AbortController().signal,
};

/** The settings of a command in a configuration file with this content. */
async function settingsIn(content: unknown, command: Command) {
  expect(validate(content), JSON.stringify(validate.errors)).toBe(true);
  await folder.write({ "edgeproof.config.json": content });
  const file = await readConfigFile(`${folder.path}/edgeproof.config.json`, commands, io);
  return settingsOf(command, file, commands);
}

/** The value of one option; other options that are missing do not matter. */
function readOption(command: Command, name: string, line: readonly string[], configured = {}): unknown {
  const only = { name: command.name, summary: "", about: [], exits: {}, examples: [], load: command.load };
  const declared = { ...only, options: { [name]: command.options[name]! } };
  const { options } = readWords(declared, sortWords(declared, line), { options: new Map(), ...configured });
  return Object.values(options)[0];
}

describe("an option of a command", () => {
  test.each(own)("%s", async (_title, command, name, option) => {
    const [first, second] = isSwitch(option) ? ["", ""] : samplesOf(option);
    const line = (word?: string) => (isSwitch(option) ? [`--${name}`] : [`--${name}=${word}`]);
    const value = isSwitch(option) ? true : option.isList ? [first] : first;
    const configured = await settingsIn({ commands: { [command.name]: { [name]: value } } }, command);
    const asFile = readOption(command, name, [], configured);
    if (!option.mapPaths) expect(asFile).toEqual(readOption(command, name, line(first)));
    expect(asFile).toBeTruthy();
    const both = readOption(command, name, line(second), configured);
    expect(both, "the command line has precedence").toEqual(readOption(command, name, line(second)));
    const left = await settingsIn({}, command);
    expect(left.options.has(name)).toBe(false);
    const unset = sortWords(command, [`--no-${name}`]);
    expect([...unset.unset]).toEqual([name]);
  });

  test("at least one of each shape was tried", () => {
    expect(own.length).toBeGreaterThan(150);
    for (const [title, , , option] of own)
      if (!isSwitch(option)) expect(samplesOf(option).length, title).toBeGreaterThan(1);
  });
});

test("options whose values are files or folders have their paths relative to the file", () => {
  for (const [title, , , { value = "", mapPaths }] of own)
    expect([title, mapPaths !== undefined]).toEqual([
      title,
      /\b(?:file|folder)\b/.test(value) || (title.endsWith("--format") && mapPaths !== undefined),
    ]);
});

describe("shared options", () => {
  test("reach every command with the same meaning, and are overridden by the command", async () => {
    const shared = sharedOptions(commands);
    for (const name of ["profile", "zone", "partial", "format", "allow-empty", "zone-name", "with-secrets"])
      expect([...shared.keys()]).toContain(name);
    expect(shared.has("world"), "`worlds` has its place").toBe(false);
    const content = { options: { profile: "provider" }, commands: { eval: { profile: "spec" } } };
    for (const command of configurable(commands)) {
      const { options } = await settingsIn(content, command);
      const expected = !command.options["profile"]
        ? undefined
        : command.name === "eval"
          ? ["spec"]
          : ["provider"];
      expect([command.name, options.get("profile")?.words]).toEqual([command.name, expected]);
    }
  });
});
