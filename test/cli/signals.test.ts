/** SIGINT and SIGTERM end every command at once; `serve` answers its requests first. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../store/open.ts";
import { bundledCli } from "../support/bundled.ts";
import { deferred } from "../support/deferred.ts";
import { formOf, png } from "../support/images.ts";
import { type Connection, connectTo, requestHead } from "../support/socket.ts";

const folder = await temporaryFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Far below the backstop of 2 s plus the grace period of 5 s, far above what a busy machine needs. */
const atOnceMs = 3_500;

interface Running {
  readonly child: ChildProcess;
  out(): string;
  /** Resolves at the next output. */
  more(): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts the command as users do; its standard input stays open. */
function start(...words: readonly string[]): Running {
  const args = ["--import", join(folder, "ready.mjs"), bundledCli(), ...words];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
  children.push(child);
  let out = "";
  let next = deferred();
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on("data", (chunk) => {
      out += chunk;
      next.resolve();
      next = deferred();
    });
  }
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  return { child, out: () => out, more: () => next.promise, ended };
}

// Reports when the command reads its input, so that the signal arrives then.
writeFileSync(
  join(folder, "ready.mjs"),
  `const { stdin, stderr } = process;
const iterate = stdin[Symbol.asyncIterator];
stdin[Symbol.asyncIterator] = function () {
  stderr.write("READING\\n");
  return iterate.call(this);
};
`,
);

async function waitFor({ child, out, more, ended }: Running, pattern: RegExp): Promise<string> {
  while (!pattern.test(out())) {
    if (child.exitCode !== null) throw new Error(`the command ended: ${out()}`);
    await Promise.race([more(), ended]);
  }
  return out();
}

async function endWith(running: Running, signal: NodeJS.Signals) {
  const from = performance.now();
  running.child.kill(signal);
  const end = await running.ended;
  return { ...end, ms: performance.now() - from };
}

const signals = ["SIGINT", "SIGTERM"] as const;

describe("a command that waits for standard input is ended by the first signal", () => {
  const world = join(folder, "world.json");
  writeFileSync(world, JSON.stringify({ zones: [{ id: "z1" }] }));

  test.each([
    ["eval", "--world", world, "--requests", "-"],
    ["check", "-"],
    ["diff", "-", world],
    ["images", "render", "--fit", "cover", "--width", "1", "--height", "1", "-", "out.png"],
  ])("%s %s", async (...words) => {
    const running = start(...words);
    await Promise.race([waitFor(running, /READING/), running.ended]);
    expect(running.out()).toBe("READING\n");
    const signal = words[0] === "eval" ? "SIGTERM" : "SIGINT";
    const end = await endWith(running, signal);
    expect(end).toMatchObject({ code: null, signal });
    expect(end.ms).toBeLessThan(atOnceMs);
  });

  test.each<[string[], number]>([
    [["brand", "match", "--pattern", "paypal:1", "-"], 130],
    [["store", "import", "--data", join(folder, "import.db"), "-"], 2],
  ])("%j finishes by itself", async (words, code) => {
    const running = start(...words);
    await waitFor(running, /READING/);
    const end = await endWith(running, "SIGTERM");
    expect(end).toMatchObject({ code, signal: null });
    expect(end.ms).toBeLessThan(atOnceMs);
    expect(running.out()).toMatch(/stopped/);
  });
});

describe("pull", () => {
  test.each(signals)("%s ends a request under way, and no file is written", async (signal) => {
    const server = createServer((request, response) => {
      const zone = { id: "z1", name: "example.com", account: { id: "a1" } };
      const isZone = request.url?.startsWith("/zones?") === true;
      if (isZone) response.end(JSON.stringify({ success: true, result: [zone] }));
      else running.child.kill(signal);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const out = join(folder, `pulled-${signal}.json`);
    process.env["CLOUDFLARE_API_TOKEN"] = "secret-token-0123456789";
    const base = `http://127.0.0.1:${port}`;
    const running = start("world", "pull", "--zone", "example.com", "--base-url", base, "--out", out);
    delete process.env["CLOUDFLARE_API_TOKEN"];
    expect(await running.ended).toEqual({ code: 2, signal: null });
    expect(running.out()).toBe("edgeproof: stopped; nothing was written\n");
    expect(existsSync(out)).toBe(false);
    server.closeAllConnections();
    server.close();
  });
});

describe("serve", () => {
  async function serve(...words: readonly string[]): Promise<Running & { readonly url: string }> {
    const running = start("serve", "--port", "0", ...words);
    const out = await waitFor(running, /listens on .*\n/);
    return { ...running, url: /http:\S+(?=\/client)/.exec(out)![0] };
  }

  test.each(signals)("ends with code 0 on %s, with silent and half-open connections", async (signal) => {
    const running = await serve();
    await connectTo(running.url);
    await connectTo(running.url, "GET / HTTP/1.1\r\nHost:");
    expect((await fetch(`${running.url}/health`)).status).toBe(200);
    const end = await endWith(running, signal);
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.ms).toBeLessThan(atOnceMs);
  });

  /** An upload whose last bytes are missing. */
  async function beginUpload(
    url: string,
  ): Promise<{ readonly connection: Connection; readonly rest: Buffer }> {
    const request = new Request("http://x/", { method: "POST", body: formOf({ file: await png() }) });
    const body = Buffer.from(await request.arrayBuffer());
    const head = requestHead(
      "POST /client/v4/accounts/a1/images/v1 HTTP/1.1",
      "Host: localhost",
      "Authorization: Bearer t",
      `Content-Type: ${request.headers.get("content-type")}`,
      `Content-Length: ${body.length}`,
    );
    const connection = await connectTo(url, head);
    connection.socket.write(body.subarray(0, 100));
    // The answer to a later request shows that the server has read these bytes.
    await fetch(`${url}/health`);
    return { connection, rest: body.subarray(100) };
  }

  /** Resolves when the server does not accept connections any more. */
  async function untilRejected(url: string): Promise<void> {
    for (;;) {
      try {
        await (await connectTo(url)).ended;
      } catch {
        return;
      }
    }
  }

  test("answers the request in progress first", async () => {
    const running = await serve("--log", "--data", join(folder, "serve.db"));
    const { connection, rest } = await beginUpload(running.url);
    const ending = endWith(running, "SIGTERM");
    await untilRejected(running.url);
    connection.socket.write(rest);
    expect(await connection.ended).toMatch(/^HTTP\/1\.1 200 [\s\S]*"success":true/);
    expect(await ending).toMatchObject({ code: 0, signal: null });
    expect(running.out()).toMatch(/^POST \/client\/v4\/accounts\/a1\/images\/v1 200 [\d.]+ms [0-9a-f]{16}$/m);
    expect(running.out()).not.toMatch(/error/i);
  });

  test("ends a stalled request after the grace period, and at once on the second signal", async () => {
    const short = await serve("--grace", "0.3");
    await beginUpload(short.url);
    const end = await endWith(short, "SIGTERM");
    expect(end).toMatchObject({ code: 0 });
    expect(end.ms).toBeLessThan(atOnceMs);
    const long = await serve("--grace", "3600");
    await beginUpload(long.url);
    long.child.kill("SIGINT");
    await untilRejected(long.url);
    expect(long.child.exitCode).toBeNull();
    expect(await endWith(long, "SIGINT")).toMatchObject({ code: null, signal: "SIGINT" });
  });

  test("prints the log as JSON Lines", async () => {
    const running = await serve("--log", "json");
    await (await fetch(`${running.url}/client/v4/zones/z1/x?sig=secret`)).text();
    const out = await waitFor(running, /\}\n/);
    expect(JSON.parse(out.split("\n")[1]!)).toEqual({
      method: "GET",
      path: "/client/v4/zones/z1/x?sig=***",
      status: 404,
      ms: expect.any(Number),
      traceId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(await endWith(running, "SIGTERM")).toMatchObject({ code: 0 });
  });
});

test.each([
  ["stdout", ["explain", "language"]],
  ["stderr", ["check", "missing.json"]],
] as const)("a reader that closes %s ends a command with 141, whatever its result", async (stream, words) => {
  const { child, ended } = start(...words);
  child[stream]?.destroy();
  expect(await ended).toEqual({ code: 141, signal: null });
});
