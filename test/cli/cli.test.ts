/** Runs commands in this process: their output, and their exit codes for valid and invalid input. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { demoWorld, mintDemoKeys } from "../../src/cli/demo/api-world.ts";
import { mintToken } from "../../src/testing/tokens/mint.ts";
import { edgeproof } from "../support/cli.ts";
import { jsonOf } from "../support/client.ts";

let folder: string;
let world: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const keys = await mintDemoKeys();
  token = await mintToken(keys.staff, { exp: 4_000_000_000 });
  world = await file("world.json", demoWorld(keys));
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const order = { method: "POST", url: "https://api.shop.example/v1/orders" };

describe("help", () => {
  test("is printed without arguments, with --help and for each command", async () => {
    for (const words of [[], ["--help"], ["help"]]) {
      const { code, out } = await edgeproof(words);
      expect([code, out]).toEqual([0, expect.stringContaining("Usage: edgeproof <command>")]);
    }
    expect((await edgeproof(["eval", "--help"])).out).toContain("--requests <file>");
    expect((await edgeproof(["help", "serve"])).out).toContain("--port <number>");
    expect((await edgeproof(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each<[string[], RegExp]>([
    [["evla"], /unknown command `evla`; did you mean `eval`\?/],
    [["frobnicate"], /unknown command `frobnicate`/],
    [["eval", "--wrold", "x"], /unknown option `--wrold`; did you mean `--world`\?/],
    [["serve", "extra"], /extra/],
    [["serve", "--port"], /--port/],
    [["serve", "--port", "70000"], /0 to 65535; found `70000`/],
    [["serve", "--profile", "real"], /`spec` or `provider`; found `real`/],
  ])("%j: ends with exit code 2 and a message that says what is allowed", async (words, message) => {
    const { code, err, out } = await edgeproof(words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });
});

describe("eval", () => {
  test("prints a line for each request", async () => {
    const requests = await file("r1.json", [
      { name: "with a token", ...order, headers: { authorization: `Bearer ${token}` } },
      { name: "without", ...order },
    ]);
    const { code, out } = await edgeproof(["eval", "--world", world, "--requests", requests]);
    expect(code).toBe(0);
    expect(out).toMatch(/^allow +with a token/m);
    expect(out).toMatch(/^block +without +Orders.*missing$/m);
  });

  test("reads one request from standard input and prints JSON and explanations", async () => {
    const input = JSON.stringify(order);
    const words = ["eval", "--world", world, "--requests", "-"];
    const [json, explained] = [
      await edgeproof([...words, "--json"], input),
      await edgeproof([...words, "--explain"], input),
    ];
    expect(JSON.parse(json.out)).toMatchObject([
      { url: order.url, verdict: { action: "block", operation: { operation_id: "place-order" } } },
    ]);
    expect(explained.out).toContain("BLOCK");
  });

  test("ends with exit code 1 when a verdict differs from the expectation of the file or the option", async () => {
    const input = JSON.stringify({ ...order, expect: "allow" });
    const words = ["eval", "--world", world, "--requests", "-"];
    const wrong = await edgeproof(words, input);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("expected allow, got block")]);
    expect((await edgeproof([...words, "--expect", "allow"], JSON.stringify(order))).code).toBe(1);
    expect((await edgeproof([...words, "--expect", "block"], JSON.stringify(order))).code).toBe(0);
    expect((await edgeproof(words, JSON.stringify(order))).code).toBe(0);
  });

  test("--now sets the time of requests without their own", async () => {
    const request = { ...order, headers: { authorization: `Bearer ${token}` } };
    const words = ["eval", "--world", world, "--requests", "-", "--json"];
    const late = await edgeproof([...words, "--now", "2100-01-01T00:00:00Z"], JSON.stringify(request));
    expect(JSON.parse(late.out)[0].verdict.trace.tokens[0].reason).toBe("expired");
    const early = JSON.stringify({ ...request, now: "2026-01-01T00:00:00Z" });
    expect(
      JSON.parse((await edgeproof([...words, "--now", "2100-01-01T00:00:00Z"], early)).out)[0].verdict.action,
    ).toBe("allow");
  });

  test.each<[string, string[], string | undefined, RegExp]>([
    ["no request", ["--world", "W"], undefined, /--requests is missing/],
    ["no world", ["--requests", "-"], "{}", /--world is missing/],
    [
      "a missing file",
      ["--world", "W", "--requests", "nowhere.json"],
      undefined,
      /nowhere\.json: the file does not exist/,
    ],
    ["a folder", ["--world", "W", "--requests", "."], undefined, /it is a folder/],
    [
      "malformed JSON",
      ["--world", "W", "--requests", "-"],
      '{"url":\n  oops}',
      /standard input:2:3: the text is not JSON/,
    ],
    ["an empty file", ["--world", "W", "--requests", "-"], "", /the text is empty/],
    ["no URL", ["--world", "W", "--requests", "-"], '{"method":"GET"}', /\/url: .*missing/],
    ["a relative URL", ["--world", "W", "--requests", "-"], '[{"url":"/x"}]', /\/0\/url: .*absolute URL/],
    [
      "an unknown member",
      ["--world", "W", "--requests", "-"],
      '{"url":"https://a.b/","verb":"GET"}',
      /\/verb/,
    ],
    [
      "an unknown zone",
      ["--world", "W", "--requests", "-", "--zone", "z9"],
      JSON.stringify(order),
      /no zone `z9`.*`shop`/,
    ],
    ["a wrong expectation", ["--world", "W", "--requests", "-", "--expect", "deny"], "{}", /`deny`/],
    ["a wrong time", ["--world", "W", "--requests", "-", "--now", "noon"], "{}", /`noon`/],
  ])(
    "%s: ends with exit code 2 and a message that names the problem",
    async (_name, words, input, message) => {
      const { code, err } = await edgeproof(["eval", ...words.map((w) => (w === "W" ? world : w))], input);
      expect(code).toBe(2);
      expect(err).toMatch(message);
    },
  );

  test("an invalid world file: the message lists every problem with its pointer", async () => {
    const bad = await file("bad.json", { zones: [{ id: "a b" }], extra: 1 });
    const { code, err } = await edgeproof(
      ["eval", "--world", bad, "--requests", "-"],
      '{"url": "https://a.example/"}',
    );
    expect(code).toBe(2);
    expect(err).toContain("/zones/0/id:");
    expect(err).toContain("/extra:");
  });
});

test("serve prints its address and listens until it is stopped", async () => {
  const stop = new AbortController();
  let url = "";
  const running = edgeproof(["serve", "--port", "0", "--world", world], undefined, {
    signal: stop.signal,
    onOut: (text) => {
      url = /http:\S+/.exec(text)?.[0] ?? url;
    },
  });
  await expect.poll(() => url, { timeout: 60_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
  const response = await fetch(`${url}/zones/shop/token_validation/rules`, {
    headers: { authorization: "Bearer t" },
  });
  expect((await jsonOf(response)).result).toHaveLength(5);
  const port = new URL(url).port;
  const second = await edgeproof(["serve", "--port", port]);
  expect([second.code, second.err]).toEqual([2, expect.stringContaining("EADDRINUSE")]);
  stop.abort();
  expect((await running).code).toBe(0);
});

test("demo prints at least a dozen verdicts of every kind and explains one", async () => {
  const { code, out } = await edgeproof(["demo"]);
  expect(code).toBe(0);
  for (const word of [
    "expired",
    "bad_signature",
    "unsupported_header",
    "unknown_key",
    "missing",
    "no operation",
    "Trainees place no orders",
    "needs ip.src",
  ]) {
    expect(out).toContain(word);
  }
  expect(out.match(/^(allow|block|log) /gm)!.length).toBeGreaterThanOrEqual(12);
});

test("demo prints the same text in every run, and the next command", async () => {
  const first = await edgeproof(["demo"]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
  try {
    expect((await edgeproof(["demo"])).out).toBe(first.out);
  } finally {
    vi.useRealTimers();
  }
  expect(first.out).toMatch(/\nnext: npx edgeproof init\n$/);
});

test("summaries name custom rules wherever they name token rules", async () => {
  const { out } = await edgeproof(["--help"]);
  const groups = ["suite", "world", "brand"].map(async (name) => (await edgeproof([name, "--help"])).out);
  const text = [out, ...(await Promise.all(groups))].join("\n").replace(/\s+/g, " ");
  expect(text).toContain("custom and token rules");
  expect(text.replaceAll("custom and token rules", "")).not.toContain("token rules");
});
