/** `edgeproof serve` in a process of its own, which tests kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bundledCli } from "./bundled.ts";

export interface ServeProcess {
  readonly url: string;
  kill(): Promise<void>;
}

/** Starts the command as users do, and resolves when it listens. @param data the value of `--data` */
export async function startServe(data: string): Promise<ServeProcess> {
  const words = [bundledCli(), "serve", "--data", data, "--port", "0"];
  const child: ChildProcess = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let text = "";
  child.stdout!.on("data", (chunk) => {
    text += chunk;
  });
  while (!text.includes("\n"))
    await Promise.race([
      once(child.stdout!, "data"),
      ended.then(() => Promise.reject(new Error("the server ended"))),
    ]);
  return {
    url: /http:\S+(?=\/client)/.exec(text)![0],
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
