/** `edgeproof mcp`, through the client of the protocol's own package. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maxCharacters, pageOf } from "../../../src/cli/commands/agents/answer.ts";
import { insideOf } from "../../../src/cli/commands/agents/working-folder.ts";
import { runCommandLine } from "../../../src/cli/run.ts";
import { mintKey, mintToken } from "../../../src/entries/testing.ts";
import { temporaryFolder } from "../../store/open.ts";
import { edgeproof } from "../../support/cli.ts";

const folder = await temporaryFolder();
const outside = await temporaryFolder();
const key = await mintKey("ES256");
const config = "0f2bd0c7-98c0-44d1-9b31-3d2a7c1a3f10";

function worldOf(expression: string, operations = 0) {
  const guard = {
    id: "5c3e9a52-7c6f-4a54-8c7d-2f1f6f0b7a11",
    title: "Guard",
    action: "block",
    enabled: true,
    expression,
    selector: { include: [{ host: ["api.example.com"] }] },
  };
  const configs = [
    {
      id: config,
      title: "Login",
      token_type: "JWT",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [{ ...key.jwk, kid: "k1" }] },
    },
  ];
  const token_validation = {
    configs,
    rules: [guard],
    ...(operations > 0 && {
      operations: Array.from({ length: operations }, (_, i) => ({
        operation_id: `op${i}`,
        method: "GET",
        host: "api.example.com",
        endpoint: `/things/${i}`,
      })),
    }),
  };
  return {
    accounts: [{ id: "a1" }],
    zones: [{ id: "z1", account_id: "a1", name: "api.example.com", token_validation }],
  };
}

const valid = `is_jwt_valid("${config}")`;
const client = new Client({ name: "test", version: "1" });
const toServer = new PassThrough();
const toClient = new PassThrough();
const stop = new AbortController();
let ended: Promise<number>;
const before = process.cwd();

beforeAll(async () => {
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  write("world.json", worldOf(valid));
  write("changed.json", worldOf(`${valid} or http.request.method eq "HEAD"`));
  write("always.json", worldOf(`${valid} or not ${valid}`));
  write("large.json", worldOf(`${valid} or not ${valid}`, 30));
  writeFileSync(join(outside, "secret.json"), JSON.stringify(worldOf(valid)));
  symlinkSync(join(outside, "secret.json"), join(folder, "link.json"));
  symlinkSync(outside, join(folder, "linked"));
  mkdirSync(join(folder, "worlds"));
  symlinkSync(join(outside, "secret.json"), join(folder, "worlds", "one.json"));
  // Its options would write a file.
  writeFileSync(
    join(folder, "edgeproof.config.json"),
    JSON.stringify({ check: { "write-baseline": "written.json" } }),
  );
  process.chdir(folder);
  const stdout = { write: (chunk: string) => void toClient.write(chunk), isTerminal: false };
  const stderr = { write: () => {}, isTerminal: false };
  ended = runCommandLine(["mcp"], { stdin: toServer, stdout, stderr, signal: stop.signal });
  await client.connect(new StdioServerTransport(toClient, toServer));
});

afterAll(async () => {
  toServer.end();
  expect(await ended).toBe(0);
  process.chdir(before);
});

async function call(
  name: string,
  given: object,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: { ...given } });
  const [first] = content as { readonly text: string }[];
  expect(content).toHaveLength(1);
  return { text: first?.text ?? "", isError: isError === true };
}

test("the tools are listed as read-only, with what they take", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["check", "eval", "diff", "suite", "explain"]);
  for (const { annotations, inputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(inputSchema).toMatchObject({ additionalProperties: false });
  }
  expect(client.getInstructions()).toContain("language");
});

describe("answers", () => {
  test("check has findings with their places", async () => {
    const { text, isError } = await call("check", { files: ["always.json"] });
    expect(isError).toBe(false);
    expect(text).toMatch(/^exit code 1: .*\n/);
    expect(text).toMatch(/always\.json:1:\d+.*always-true/s);
  });

  test("eval mints tokens, and prints neither them nor keys", async () => {
    const token = await mintToken(key, { sub: "someone" });
    const { text } = await call("eval", {
      world: "world.json",
      explain: true,
      requests: [
        { url: "https://api.example.com/a", token: { config, state: "valid" }, expect: "allow" },
        { url: "https://api.example.com/a", token: { config, state: "expired" }, expect: "block" },
        { url: "https://api.example.com/a", headers: { authorization: `Bearer ${token}` } },
      ],
    });
    expect(text).toContain("expired");
    expect(text).toMatch(/ALLOW/i);
    expect(text).not.toContain(token.split(".")[1]);
    expect(text).not.toContain(token.split(".")[2]);
  });

  test("diff shows a request, and equal worlds are equivalent", async () => {
    const { text } = await call("diff", { old: "world.json", new: "changed.json" });
    expect(text).toMatch(/^exit code 1/);
    expect(text).toContain("HEAD");
    expect((await call("diff", { old: "world.json", new: "world.json" })).text).toMatch(/^exit code 0/);
  });

  test("suite writes requests, and measures a file of them", async () => {
    const { text } = await call("suite", { world: "world.json" });
    expect(text).toMatch(/^exit code 0/);
    writeFileSync(join(folder, "few.json"), JSON.stringify([{ url: "https://api.example.com/" }]));
    const measured = await call("suite", { world: "world.json", requests: "few.json" });
    expect(measured.text).toMatch(/^exit code 1/);
  });

  test("explain knows rules, codes, words and the language", async () => {
    expect((await call("explain", { name: "always-true" })).text).toContain("fix:");
    expect((await call("explain", { name: "language" })).text).toContain("acts when its expression is false");
    expect(await call("explain", { name: "--json" })).toMatchObject({ isError: true });
  });

  test("a large one is cut, and continues where it says", async () => {
    const whole: string[] = [];
    for (let from = 1; ; ) {
      const { text } = await call("suite", { world: "large.json", from });
      expect(text.length).toBeLessThan(maxCharacters + 100);
      whole.push(text);
      const next = /`from`: (\d+)\)$/.exec(text)?.[1];
      if (next === undefined) break;
      from = Number(next);
    }
    expect(whole.length).toBeGreaterThan(1);
    const lines = whole.flatMap((text) => text.split("\n").slice(0, -1));
    const start = lines.indexOf("[");
    const end = lines.lastIndexOf("]");
    expect(JSON.parse(lines.slice(start, end + 1).join("\n")).length).toBeGreaterThan(30);
  });
});

describe("rejected", () => {
  test.each([
    ["an absolute path", join(outside, "secret.json")],
    ["a path that leads out", "../secret.json"],
    ["a link to a file", "link.json"],
    ["a file in a linked folder", "linked/secret.json"],
    ["a folder with a link", "worlds"],
    ["a pattern that finds a link", "worlds/*.json"],
    ["a pattern that leads out", "../*/secret.json"],
    ["a device", "/dev/zero"],
    ["an address", "https://example.com/world.json"],
    ["an option", "--write-baseline=written.json"],
    ["standard input", "-"],
    ["a missing file", "missing.json"],
  ])("%s", async (_name, file) => {
    const { text, isError } = await call("check", { files: [file] });
    expect(isError).toBe(true);
    expect(text).toMatch(/^exit code 2/);
    expect(text).not.toContain("Guard");
  });

  test("a pipe, which would never end", async () => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect((await call("eval", { world: "pipe", requests: [{ url: "https://a.example/" }] })).text).toContain(
      "neither a file nor a folder",
    );
  });

  test("an argument that a tool does not have, and one of a wrong type", async () => {
    expect((await call("check", { files: ["world.json"], fix: true })).isError).toBe(true);
    expect((await call("check", { files: "world.json" })).isError).toBe(true);
    expect((await call("eval", { world: "world.json", requests: [] })).isError).toBe(true);
  });

  test("the configuration file of a project is not used: its options could write files", async () => {
    expect((await call("check", { files: ["always.json"] })).text).not.toContain("written.json");
    expect(() => insideOf(folder)("written.json")).toThrow("does not exist");
  });
});

test("invalid messages do not end it", async () => {
  for (const line of [
    "",
    "{",
    "[]",
    "null",
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1,"method":"none"}',
    "\u0000\uffff",
  ])
    toServer.write(`${line}\n`);
  toServer.write(`{"jsonrpc":"2.0","method":"tools/call","id":7,"params":{"name":"constructor"}}\n`);
  expect((await client.listTools()).tools).toHaveLength(5);
  await expect(client.callTool({ name: "toString", arguments: {} })).resolves.toMatchObject({
    isError: true,
  });
});

test("a message without an end ends it with a message", async () => {
  const { code, err } = await edgeproof(["mcp"], "x".repeat(11 * 1024 * 1024));
  expect({ code, err }).toEqual({
    code: 2,
    err: "edgeproof: standard input has a message of more than 10 MiB\n",
  });
});

test.each([
  ["nothing", "", []],
  ["text", "hello\nthere\n", [/a line that is not a message: .*"hello" is not valid JSON/]],
  ["JSON of another form", "{}\n[]\n", [/a line that is not a message: it is not JSON-RPC 2\.0/]],
])(
  "an input that is not of an agent, %s, is an error with one line of each kind",
  async (_name, text, lines) => {
    const { code, out, err } = await edgeproof(["mcp"], text);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    const expected = [...lines, /without the request `initialize` of the Model Context Protocol/];
    expect(err.trimEnd().split("\n")).toEqual(expected.map((line) => expect.stringMatching(line)));
  },
);

test("a page of a text", () => {
  expect(pageOf("a\nb\n", 1)).toBe("a\nb");
  expect(pageOf("a\nb\n", 2)).toBe("b\n(lines 2 to 2 of 2)");
  expect(pageOf("a\nb\n", 3)).toBe("The answer has 2 lines; there is none from 3 on.");
  expect(pageOf("x".repeat(5_000), 1)).toHaveLength(2_000 + " (3000 more characters)".length);
});
