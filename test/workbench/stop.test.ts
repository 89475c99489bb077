/** Ctrl-C ends `edgeproof workbench` while a page reads its log. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli } from "../support/bundled.ts";
import { connectTo, requestHead } from "../support/socket.ts";

/**
 * It takes less than a second on a quiet machine: an open stream is ended first, and the grace period is 500 ms. A busy
 * machine may need longer to run the process at all; without the end of the streams it would wait for the browser.
 */
const maxMs = 5_000;

let folder: string;
let child: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-stop-"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>page</title>");
  await writeFile(join(folder, "world.json"), JSON.stringify({ zones: [{ id: "z1" }] }));
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

test("with an open log the command ends by itself, with code 0", async () => {
  const words = ["workbench", "--world", join(folder, "world.json"), "--port", "0", "--json"];
  child = spawn(process.execPath, [bundledCli(), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, EDGEPROOF_PAGE: folder },
  });
  const ended = once(child, "exit");
  const [printed] = await once(child.stdout!, "data");
  const { origin, hash, host } = new URL(JSON.parse(String(printed)).url);
  const session = `x-edgeproof-session: ${hash.slice(1)}`;
  const log = await connectTo(origin, requestHead("GET /data/log/stream HTTP/1.1", `Host: ${host}`, session));
  await log.waitFor(/text\/event-stream/);
  const start = performance.now();
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - start).toBeLessThan(maxMs);
  await log.ended;
});
