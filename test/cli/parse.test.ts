/** Words of a command line become the values of a declaration. */
import { describe, expect, test } from "vitest";
import {
  choice,
  declare,
  flag,
  impliedChoice,
  integer,
  list,
  required,
  shortFor,
  text,
  usual,
} from "../../src/cli/declare.ts";
import { parseWords } from "../../src/cli/parse.ts";

const sample = declare({
  name: "sample",
  summary: "A sample.",
  about: ["A sample."],
  arguments: { usage: "[word...]", min: 0, max: 2, expected: "at most 2 words" },
  options: {
    format: usual(choice(["text", "json"], "Format."), "text"),
    json: shortFor("format", "json"),
    log: impliedChoice(["plain", "lines"], "plain", "Log."),
    count: integer("number", { min: -9, max: 9 }, "Count."),
    name: required(usual(text("name", "Name."), "none"), "it must be a name"),
    "with-tag": list("tag", "Tags."),
    quiet: flag("Quiet."),
  },
  exits: { 0: "Done." },
  examples: ["edgeproof sample a"],
  conflict: ({ quiet, log }) => quiet && log !== undefined && "--quiet and --log exclude each other",
});

const empty = {
  format: "text",
  json: undefined,
  log: undefined,
  count: undefined,
  name: "none",
  withTag: [],
  quiet: false,
};

describe("values", () => {
  test.each<[string, object, string[]?]>([
    ["", {}],
    ["--format json", { format: "json" }],
    ["--format=json", { format: "json" }],
    ["--format text --format json", { format: "json" }],
    ["--json", { format: "json" }],
    ["--json --format json", { format: "json" }],
    ["--log", { log: "plain" }],
    ["--log lines", { log: "lines" }],
    ["--log=lines", { log: "lines" }],
    ["--log other", { log: "plain" }, ["other"]],
    ["--count -3", { count: -3 }],
    ["--count=-3", { count: -3 }],
    ["--name -", { name: "-" }],
    ["--name=--x", { name: "--x" }],
    ["--with-tag a --with-tag b", { withTag: ["a", "b"] }],
    ["a -- --json", {}, ["a", "--json"]],
    ["- a", {}, ["-", "a"]],
  ])("%s", (line, values, words = []) => {
    expect(parseWords(sample, line.split(" ").filter(Boolean))).toEqual({
      options: { ...empty, ...values },
      words,
    });
  });
});

describe("errors", () => {
  const see = "`npx edgeproof sample --help` shows its options";
  test.each([
    ["--fromat json", `unknown option \`--fromat\`; did you mean \`--format\`? ${see}`],
    ["-x", `unknown option \`-x\`; ${see}`],
    ["--constructor", `unknown option \`--constructor\`; ${see}`],
    ["--format", `--format needs a value; ${see}`],
    ["--format --quiet", `--format needs a value; ${see}`],
    ["--quiet=yes", `--quiet does not accept a value; ${see}`],
    ["--format jsn", "--format must be `text` or `json`; found `jsn`; did you mean `json`?"],
    ["--json --format text", "--json means --format json; found --format text too"],
    ["--log=other", "--log must be `plain` or `lines`; found `other`"],
    ["--count ten", "--count must be an integer from -9 to 9; found `ten`"],
    ["--count 10", "--count must be an integer from -9 to 9; found `10`"],
    ["--name=", "--name is missing; it must be a name"],
    ["a b c", "expected at most 2 words; found 3: `npx edgeproof sample a`"],
    ["--quiet --log", "--quiet and --log exclude each other"],
  ])("%s", (line, message) => {
    expect(() => parseWords(sample, line.split(" "))).toThrow(message);
  });

  test("an argument of a command without arguments is unexpected", () => {
    const { arguments: _, ...rest } = sample;
    expect(() => parseWords(rest, ["a"])).toThrow(`unexpected argument \`a\`; ${see}`);
  });
});
