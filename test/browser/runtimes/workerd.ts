/** Runs a bundle as a worker in workerd: a server that answers requests by the bundle's handler. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { PackageBundle } from "../package-bundle.ts";

/** Its behaviour on this date, which is that of the version's release or earlier. */
const compatibilityDate = "2026-01-01";

/** A worker that listens. */
export interface RunningWorker {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts it on a free port. */
export async function startWorker(bundle: PackageBundle): Promise<RunningWorker> {
  const others = readdirSync(bundle.folder).filter((file) => file.endsWith(".js") && file !== "main.js");
  const modules = ["main.js", ...others].map((file) => `(name = "${file}", esModule = embed "${file}")`);
  const config = join(bundle.folder, "config.capnp");
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (modules = [${modules.join()}], compatibilityDate = "${compatibilityDate}");
`,
  );
  const require = createRequire(import.meta.url);
  const { default: executable } = require("workerd") as { readonly default: string };
  const child = spawn(executable, ["serve", "--control-fd=3", config], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  return { url: `http://127.0.0.1:${await portOf(child)}/`, stop: () => stop(child) };
}

/** It writes a line of JSON to the file descriptor when it listens; its errors are those of the start. */
function portOf(child: ChildProcess): Promise<number> {
  let errors = "";
  child.stderr?.on("data", (part) => {
    errors += part;
  });
  return new Promise((resolve, reject) => {
    (child.stdio[3] as Readable).once("data", (line) => resolve(JSON.parse(String(line)).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`workerd ended with exit code ${code}: ${errors}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
