/** SIGTERM: every request whose last byte had arrived before is answered. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { bundledCli } from "../../support/bundled.ts";
import { runs } from "../../support/runs.ts";
import { type Connection, connectTo, requestHead, statusOf } from "../../support/socket.ts";

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
});

/** Connections that are open before the process is stopped, of each of two kinds. */
const count = runs(450, 100);
/** Connections that the kernel accepts for a stopped process: fewer than its queue has, 128 on some systems. */
const maxQueued = 100;
const head = requestHead(
  "GET /client/v4/zones/z1/token_validation/rules HTTP/1.1",
  "Host: localhost",
  "Authorization: Bearer t",
);
const upload = requestHead(
  "POST /client/v4/accounts/a1/images/v1 HTTP/1.1",
  "Host: localhost",
  "Authorization: Bearer t",
  "Content-Type: multipart/form-data; boundary=b",
  "Content-Length: 7",
);

test("of new and kept connections, with bodies and pipelined", { timeout: 60_000 }, async () => {
  child = spawn(process.execPath, [bundledCli(), "serve", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [out] = await once(child.stdout!, "data");
  const url = /http:\S+(?=\/client)/.exec(String(out))![0];

  const open = async (texts: readonly string[], number = count) => {
    const connections: Connection[] = [];
    for (let i = 0; i < number; i++) connections.push(await connectTo(url, texts[i % texts.length]));
    return connections;
  };
  const kept = await open([head]);
  for (const { waitFor } of kept) await waitFor(/\}$/);
  const begun = await open([upload]);
  // Connections are accepted in order: with an answer on a later one, none of them waits in the queue of the kernel.
  const [last] = await open([head], 1);
  await last!.waitFor(/\}$/);
  kept.push(last!);
  // While the process is stopped, requests arrive before the signal: it finds both at once.
  child.kill("SIGSTOP");
  const created = await open([head, `${head}${head}`, `${upload}--b--\r\n`], maxQueued);
  const write = (connections: readonly Connection[], text: string) =>
    Promise.all(
      connections.map(({ socket }) => new Promise<void>((done) => socket.write(text, () => done()))),
    );
  await Promise.all([write(kept, head), write(begun, "--b--\r\n")]);
  child.kill("SIGTERM");
  child.kill("SIGCONT");

  const answersOf = async (connections: readonly Connection[]) =>
    Promise.all(connections.map(async (connection) => (await connection.ended).split(/(?=HTTP\/1\.1 )/)));
  const [fromKept, fromBegun, fromCreated] = await Promise.all([kept, begun, created].map(answersOf));
  for (const answers of fromKept!) expect(answers.map(statusOf)).toEqual([200, 200]);
  for (const answers of fromBegun!) expect(answers.map(statusOf)).toEqual([400]);
  for (const [i, answers] of fromCreated!.entries())
    expect(answers.map(statusOf)).toEqual([[200], [200, 200], [400]][i % 3]);
  // Responses before the signal cannot announce it.
  const closing = fromCreated!.filter((answers) => /^connection: close\r$/im.test(answers.at(-1) ?? ""));
  expect(closing.length).toBeGreaterThan(maxQueued / 2);
  expect(await ended).toEqual([0, null]);
});
