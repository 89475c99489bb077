/** Untrusted names never send control characters to a terminal. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { escapeControlCharacters, escapeLines } from "../../src/cli/output/escape-control-characters.ts";
import { printTable } from "../../src/cli/output/table.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { edgeproof, outputOf } from "../support/cli.ts";

const red = "\u001b[31m";
/** Control characters other than the line end. */
const controls = /[^\P{Cc}\n]/u;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

test.each([
  [`a${red}b`, "a\\u001b[31mb"],
  ["two\nlines\r", "two\\nlines\\u000d"],
  ["\u0000\t\u007f\u009b2J", "\\u0000\\u0009\\u007f\\u009b2J"],
  ["gnp\u202egnp.exe\u2066\u200e\u2028", "gnp\\u202egnp.exe\\u2066\\u200e\\u2028"],
  ["C:\\new\\müller 日本 👩‍🚀.png", "C:\\new\\müller 日本 👩‍🚀.png"],
])("%j is escaped as %s", (input, escaped) => {
  expect(escapeControlCharacters(input)).toBe(escaped);
});

test("escapeLines keeps line ends", () => {
  expect(escapeLines(`one\n${red}two\n`)).toBe("one\n\\u001b[31mtwo\n");
});

describe("a table", () => {
  const long = `${"folder/".repeat(20)}name.png`;

  test("shortens cells, except those of unshortened columns", () => {
    const [, rule, row] = printTable(outputOf(), ["why", "picture"], [[long, long]], {
      unshortened: ["picture"],
    }).split("\n");
    expect(row).toBe(`${long.slice(0, 61)}...  ${long}`);
    expect(rule).toBe(`${"-".repeat(64)}  ${"-".repeat(64)}`);
  });

  test("escapes control characters before it aligns columns", () => {
    const rows = [
      [`${red}x\ny`, "1"],
      ["z", "2"],
    ];
    expect(printTable(outputOf(), ["name", "number"], rows).split("\n").slice(2)).toEqual([
      "\\u001b[31mx\\ny  1",
      "z               2",
      "",
    ]);
  });

  test("may have more rows than a function call can have arguments", () => {
    const rows = Array.from({ length: 200_000 }, () => ["1"]);
    expect(printTable(outputOf(), ["n"], rows)).toHaveLength(4 + rows.length * 2);
  });
});

const request = { name: `${red}name`, method: "GET", url: "https://a.example/", expect: "block" };

const rules = [{ action: "block", expression: "maybe", selector: { include: [{ host: ["a.example"] }] } }];
const world = { zones: [{ id: "z", token_validation: { configs: [], rules } }] };

describe("no control character reaches the terminal", () => {
  test.each<[string, () => Promise<[words: string[], input?: string]>, string]>([
    ["an option", async () => [["brand", "logo", "a", "b", "--threshold", red]], "\\u001b[31m"],
    ["a missing file", async () => [["brand", "match", "--pattern", "x", `${red}no`]], "\\u001b[31mno"],
    [
      "pictures of a folder",
      async () => {
        const logo = await file("logo.png", drawPng(drawings["wing"]!, { side: 64 }));
        await file(`scans/${red}a\nb.png`, drawPng(drawings["wing"]!, { side: 64 }));
        await file(`scans/${red}c\nd.png`, "no picture");
        return [["brand", "logo", logo, join(folder, "scans")]];
      },
      "\\u001b[31ma\\nb.png\n",
    ],
    [
      "unreadable files",
      async () => [["brand", "logo", join(folder, "logo.png"), join(folder, "scans")]],
      "\\u001b[31mc\\nd.png: The image",
    ],
    [
      "invalid lines of names",
      async () => [["brand", "match", "--pattern", "x"], `{"a":${red}\n`],
      "\\u001b",
    ],
    [
      "patterns",
      async () => [["brand", "match", "--pattern", `paypal${red}:3`, "--separators"], "paypal-31m.com\n"],
      "\\u001b",
    ],
    [
      "names of requests",
      async () => [
        [
          "eval",
          "--world",
          await file("w.json", '{"zones":[{"id":"z","name":"a.example"}]}'),
          "--requests",
          "-",
        ],
        JSON.stringify(request),
      ],
      "\\u001b[31mname",
    ],
    [
      "names of requests, explained",
      async () => [
        ["eval", "--world", join(folder, "w.json"), "--requests", "-", "--explain"],
        JSON.stringify(request),
      ],
      "\\u001b[31mname",
    ],
    ["checked files", async () => [["lint", await file(`${red}.json`, "{}")]], "\\u001b[31m.json"],
    [
      "checked worlds",
      async () => [["check", await file(`${red}world.json`, JSON.stringify(world))]],
      "\\u001b[31mworld.json",
    ],
  ])("from %s", async (_name, prepare, escaped) => {
    const [words, input] = await prepare();
    const { out, err } = await edgeproof(words, input);
    expect(out + err).toContain(escaped);
    expect(out + err).not.toMatch(controls);
  });
});

describe("the width of a table", () => {
  const rows = [["allow", "x".repeat(40), "y".repeat(30), "z"]];
  const print = (maxWidth?: number) =>
    printTable(outputOf(maxWidth), ["verdict", "request", "rule", "n"], rows, { unshortened: ["verdict"] });
  const longest = (table: string) => Math.max(...table.split("\n").map((line) => line.length));

  test.each([84, 83, 60, 40, 34])("is at most %i, with the widest columns shortened first", (width) => {
    const table = print(width);
    expect(longest(table)).toBe(width);
    expect(table).toMatch(/^allow {4}x+/m);
  });

  test("is that of the cells where they fit, and of the shortest columns in a narrower terminal", () => {
    expect(print(200)).toBe(print());
    expect(print()).toContain(` ${"y".repeat(30)}  z\n`);
    expect(longest(print(1))).toBe(7 + 2 + 8 + 2 + 8 + 2 + 1);
    expect(print(1)).toContain("xxxxx...  yyyyy...  z\n");
  });
});
