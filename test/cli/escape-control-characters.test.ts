/** What others named reaches a terminal as text, never as a command to it. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { escapeControlCharacters, escapeLines } from "../../src/cli/output/escape-control-characters.ts";
import { printTable } from "../../src/cli/output/table.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { edgeproof } from "../support/cli.ts";

const red = "\u001b[31m";
/** Every control character but the end of a line. */
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
])("%j is shown as %s", (text, shown) => {
  expect(escapeControlCharacters(text)).toBe(shown);
});

test("lines stay lines", () => {
  expect(escapeLines(`one\n${red}two\n`)).toBe("one\n\\u001b[31mtwo\n");
});

describe("a table", () => {
  const long = `${"folder/".repeat(20)}name.png`;

  test("shortens cells, but not those of a column that is of use as a whole only", () => {
    const [, rule, row] = printTable(["why", "picture"], [[long, long]], ["picture"]).split("\n");
    expect(row).toBe(`${long.slice(0, 61)}...  ${long}`);
    expect(rule).toBe(`${"-".repeat(64)}  ${"-".repeat(64)}`);
  });

  test("shows control characters, in columns that stand straight", () => {
    const rows = [
      [`${red}x\ny`, "1"],
      ["z", "2"],
    ];
    expect(printTable(["name", "number"], rows).split("\n").slice(2)).toEqual([
      "\\u001b[31mx\\ny  1",
      "z               2",
      "",
    ]);
  });

  test("may be longer than a call has arguments", () => {
    const rows = Array.from({ length: 200_000 }, () => ["1"]);
    expect(printTable(["n"], rows)).toHaveLength(4 + rows.length * 2);
  });
});

const request = { name: `${red}name`, method: "GET", url: "https://a.example/", expect: "block" };

const rules = [{ action: "block", expression: "maybe", selector: { include: [{ host: ["a.example"] }] } }];
const world = { zones: [{ id: "z", token_validation: { configs: [], rules } }] };

describe("no control character is printed", () => {
  test.each<[string, () => Promise<[words: string[], input?: string]>, string]>([
    ["an option", async () => [["logo", "a", "b", "--threshold", red]], "\\u001b[31m"],
    ["a file that is not there", async () => [["match", "--pattern", "x", `${red}no`]], "\\u001b[31mno"],
    [
      "pictures of a folder",
      async () => {
        const logo = await file("logo.png", drawPng(drawings["wing"]!, { side: 64 }));
        await file(`scans/${red}a\nb.png`, drawPng(drawings["wing"]!, { side: 64 }));
        await file(`scans/${red}c\nd.png`, "no picture");
        return [["logo", logo, join(folder, "scans")]];
      },
      "\\u001b[31ma\\nb.png\n",
    ],
    [
      "files that could not be read",
      async () => [["logo", join(folder, "logo.png"), join(folder, "scans")]],
      "\\u001b[31mc\\nd.png: The image",
    ],
    ["bad lines of names", async () => [["match", "--pattern", "x"], `{"a":${red}\n`], "\\u001b"],
    [
      "patterns",
      async () => [["match", "--pattern", `paypal${red}:3`, "--separators"], "paypal-31m.com\n"],
      "\\u001b",
    ],
    [
      "names of requests",
      async () => [
        [
          "eval",
          "--world",
          await file("w.json", '{"zones":[{"id":"z","name":"a.example"}]}'),
          "--request",
          "-",
        ],
        JSON.stringify(request),
      ],
      "\\u001b[31mname",
    ],
    [
      "names of requests, explained",
      async () => [
        ["eval", "--world", join(folder, "w.json"), "--request", "-", "--explain"],
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
  ])("of %s", async (_name, given, shown) => {
    const [words, input] = await given();
    const { out, err } = await edgeproof(words, input);
    expect(out + err).toContain(shown);
    expect(out + err).not.toMatch(controls);
  });
});
