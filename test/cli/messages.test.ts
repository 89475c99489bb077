/** The usage errors of the command line, as a user reads them on standard error. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

let folder: string;
let before: string;

const files: Readonly<Record<string, string | Uint8Array>> = {
  "malformed.json": '{\n  "zones": [\n}',
  "latin-1.json": new Uint8Array([0x22, 0xe4, 0x22]),
  "world.json": '{ "zones": [{ "id": "z1" }] }',
  "bad-world.json": '{ "zones": [{ "id": "a b" }], "colors": 1 }',
  "bad-export.jsonl": "no export\n",
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  before = process.cwd();
  process.chdir(folder);
});

afterAll(async () => {
  process.chdir(before);
  await rm(folder, { recursive: true });
});

/** A command line and the message behind `edgeproof: `. */
const messages: readonly (readonly [commandLine: string, message: string])[] = [];

test.each(messages)("edgeproof %s", async (commandLine, message) => {
  const { code, err, out } = await edgeproof(commandLine.split(" ").filter(Boolean), "");
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: `edgeproof: ${message}\n` });
});
