/**
 * Damaged input to every command that ends: it ends with exit code 0, 1 or 2 within a bounded time, without a stack trace,
 * a control character or a secret in its output. `EDGEPROOF_SEED` repeats a run.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../../../src/cli/commands/commands.ts";
import { tokenVariable } from "../../../src/cli/declarations/world.ts";
import { type CliResult, edgeproof } from "../../support/cli.ts";
import { seed as givenSeed, runs } from "../../support/runs.ts";
import { commandLines } from "./command-lines.ts";
import { type Dice, damaged, diceOf, pick } from "./damage.ts";
import { secret, validInputs } from "./inputs.ts";

/** `npm test` runs 200. */
const count = runs(2_000, 200);
const seed = givenSeed ?? Math.floor(Math.random() * 2 ** 31);

/** Maximum processor time of one command, in milliseconds. */
const maxMs = 20_000;

let inputs: Readonly<Record<string, Buffer>>;
let server: Server;
let answer: Uint8Array = Buffer.alloc(0);

beforeAll(async () => {
  inputs = await validInputs();
  server = createServer((_request, response) => response.end(answer)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
});
afterAll(() => server.close());

const lines = commands.flatMap(({ name }) => {
  const own = commandLines[name];
  return Array.isArray(own) ? own.map((words) => [...name.split(" "), ...words]) : [];
});

test("every command has command lines, or a reason why it does not end", () => {
  expect(Object.keys(commandLines)).toEqual(commands.map(({ name }) => name));
});

const oddWords = [
  "",
  "-",
  "--",
  "\u001b[31m",
  "\u202eabc",
  "a\u0085b",
  "-1",
  "1e9",
  "../..",
  "[x]:\0",
  "%",
  "x".repeat(5_000),
];
const addressEnds = ["@h/db", "@h:99999/db", "@[::1", "@h/db?password=hunter2-hunter2"];

function oddWord(word: string, dice: Dice): string {
  if (dice(3) === 0) return word;
  if (word.includes(secret)) return word.replace(/@.*/, pick(dice, addressEnds));
  const cut = dice(word.length);
  return pick(dice, [
    ...oddWords,
    word.slice(0, cut),
    `${word.slice(0, cut)}${pick(dice, oddWords)}${word.slice(cut)}`,
  ]);
}

/** A place to write to: mostly a file, else one that nothing can be written to. */
function outputPath(folder: string, name: string, dice: Dice): string {
  return pick(
    dice,
    [name, name, name, ".", "missing/out", "file/out", "dangling", "loop/out", "/dev/full"].map((path) =>
      path.startsWith("/") ? path : join(folder, path),
    ),
  );
}

/** Writes a damaged file, or a link or folder in its place. */
function writeInput(folder: string, name: string, isDamaged: boolean, dice: Dice): string {
  const path = join(folder, name);
  if (isDamaged && dice(12) === 0) {
    const odd = [
      () => symlinkSync(path, path),
      () => symlinkSync(join(folder, "missing"), path),
      () => symlinkSync(folder, path),
      () => mkdirSync(path),
      () => {},
    ];
    rmSync(path, { force: true });
    pick(dice, odd)();
  } else writeFileSync(path, isDamaged ? damaged(inputs[name]!, dice) : inputs[name]!);
  return path;
}

/** The words of a command line, with one damaged file in `folder`. */
function prepare(folder: string, dice: Dice): readonly string[] {
  writeFileSync(join(folder, "file"), "x");
  symlinkSync(join(folder, "missing", "target"), join(folder, "dangling"));
  symlinkSync(folder, join(folder, "loop"));
  const line = pick(dice, lines);
  const files = line.filter((word) => word.startsWith("<"));
  const damagedFile = files.length > 0 ? pick(dice, files) : undefined;
  const { port } = server.address() as AddressInfo;
  return line.map((word) => {
    const name = word.slice(1);
    if (word.startsWith("<")) return writeInput(folder, name, word === damagedFile, dice);
    if (word.startsWith(">")) return outputPath(folder, name, dice);
    if (word.startsWith("?")) return oddWord(name, dice);
    if (!word.startsWith("@")) return word;
    answer = damaged(inputs[name === "api" ? "rules.json" : "jwks.json"]!, dice);
    return `http://127.0.0.1:${port}`;
  });
}

/** Commands whose standard output is what files contain. */
const copies = /^(?:world from|world pull|suite generate)/;

function faultOf(words: readonly string[], { code, out, err }: CliResult): string | undefined {
  if (![0, 1, 2].includes(code)) return `exit code ${code}`;
  const text = out + err;
  if (/^\s+at .*[\w)]:\d+/m.test(text) || text.includes("node_modules")) return "a stack trace";
  // The line ends of comma-separated values are those of RFC 4180.
  const odd = /(?![\t\n]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.exec(text);
  if (odd)
    return `the character ${JSON.stringify(odd[0])} in ${JSON.stringify(text.slice(odd.index - 40, odd.index + 40))}`;
  const shown = copies.test(words.join(" ")) ? err : text;
  const at = shown.indexOf(secret);
  if (at >= 0) return `a secret in ${JSON.stringify(shown.slice(Math.max(0, at - 60), at + 40))}`;
  if (code === 2 && err === "") return "no reason for exit code 2";
  return undefined;
}

async function runOnce(own: number): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  const words = prepare(folder, diceOf(own));
  const from = process.cpuUsage();
  try {
    const result = await edgeproof(words, "", { env: { [tokenVariable]: secret, KEY: secret } });
    const { user, system } = process.cpuUsage(from);
    const fault = faultOf(words, result) ?? ((user + system) / 1_000 > maxMs ? "too much time" : undefined);
    return fault && `seed ${own}: ${fault}: edgeproof ${words.join(" ").slice(0, 300)}`;
  } catch (error) {
    return `seed ${own}: ${(error as Error).stack?.slice(0, 600)}: edgeproof ${words.join(" ").slice(0, 300)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test(`${count} damaged command lines from seed ${seed} end with exit code 0, 1 or 2 and clean output`, async () => {
  const faults: string[] = [];
  for (let i = 0; i < count; i++) {
    const fault = await runOnce(seed + i);
    if (fault !== undefined) faults.push(fault);
  }
  expect(faults).toEqual([]);
}, 600_000);

test.each(['"alg":"-1"', "null"])(
  "eval reports a zone with the key %s instead of minting a token",
  async (key) => {
    const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
    const [world, requests] = ["world.json", "requests.json"].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    const damage = key === "null" ? /\{"alg":[^}]*\}|\{"kty":[^}]*\}/ : /"alg":"ES256"/;
    writeFileSync(world, inputs["world.json"]!.toString().replace(damage, key));
    writeFileSync(requests, inputs["requests.json"]!);
    const { code, err } = await edgeproof(["eval", "--world", world, "--requests", requests]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("/zones/0/token_validation/configs/0/credentials/keys/0"),
    ]);
  },
);

test("eval mints tokens for keys with members of other types, such as certificates", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  const [world, requests] = ["world.json", "requests.json"].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  writeFileSync(
    world,
    inputs["world.json"]!.toString().replace(/"alg":"ES256"/, '"x5c":["MII"],"alg":"ES256"'),
  );
  writeFileSync(requests, inputs["requests.json"]!);
  const { code, out } = await edgeproof(["eval", "--world", world, "--requests", requests]);
  expect([code, out]).toEqual([0, expect.stringContaining("malformed")]);
});

test("the damages reach the messages of syntax, schema, encoding and files, and valid results", async () => {
  const reached = { syntax: 0, schema: 0, encoding: 0, file: 0, result: 0 };
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  for (let i = 0; i < 300; i++) {
    const dice = diceOf(i);
    const path = writeInput(folder, "requests.json", true, dice);
    const world = writeInput(folder, "world.json", false, dice);
    const { code, err } = await edgeproof(["eval", "--world", world, "--requests", path]);
    rmSync(path, { recursive: true, force: true });
    if (code < 2) reached.result++;
    else if (err.includes("not valid UTF-8")) reached.encoding++;
    else if (err.includes("the text is not")) reached.syntax++;
    else if (err.includes("invalid requests")) reached.schema++;
    else if (err.includes("cannot read")) reached.file++;
  }
  for (const [name, times] of Object.entries(reached)) expect(times, name).toBeGreaterThan(5);
});
