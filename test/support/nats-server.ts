/** Starts a broker of its own for a test file: on a free port, with a store folder that is removed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether the program `nats-server` is there; without it, the tests of the broker are skipped with a warning. */
export const hasNatsServer = spawnSync("nats-server", ["--version"]).status === 0;

if (!hasNatsServer) {
  if (process.env["EDGEPROOF_REQUIRE_NATS"] === "1") throw new Error("nats-server is not on the PATH");
  console.warn("nats-server is not on the PATH: the tests of the JetStream queue are SKIPPED");
}

/** A broker with JetStream. */
export interface TestBroker {
  readonly port: number;
  /** Its address without credentials. */
  readonly url: string;
  /** Ends the process without a chance to clean up. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder. */
  start(): Promise<void>;
  /** Ends it, and removes the folder. */
  remove(): Promise<void>;
}

/**
 * Starts a broker.
 *
 * @param config lines of its configuration, such as users and limits
 * @param maxFileStore maximum size of all streams, in bytes
 */
export async function startBroker(
  config: readonly string[] = [],
  maxFileStore = 2 ** 40,
): Promise<TestBroker> {
  const folder = mkdtempSync(join(tmpdir(), "nats-"));
  const file = join(folder, "server.conf");
  let child: ChildProcess | undefined;
  let port = -1;

  const start = async () => {
    const lines = [
      `listen: 127.0.0.1:${port}`,
      // Queues reserve gigabytes, of which nothing is used: not limited to what the disk has left.
      `jetstream { store_dir: "${join(folder, "store")}", max_file_store: ${maxFileStore} }`,
      ...config,
    ];
    writeFileSync(file, lines.join("\n"));
    const started = spawn(
      "nats-server",
      ["--config", file, "--ports_file_dir", folder, "--log", `${file}.log`],
      {
        stdio: "ignore",
      },
    );
    child = started;
    const ports = join(folder, `nats-server_${started.pid}.ports`);
    for (;;) {
      if (started.exitCode !== null) throw new Error(readFileSync(`${file}.log`, "utf8"));
      try {
        const { nats } = JSON.parse(readFileSync(ports, "utf8")) as { nats: readonly [string] };
        port = Number(new URL(nats[0]).port);
        await canConnect(port);
        return;
      } catch {
        await sleep(20);
      }
    }
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  await start();
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function canConnect(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
}
