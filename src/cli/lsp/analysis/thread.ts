/** The worker thread of the language server: analyzes one text after another. */

import { parentPort } from "node:worker_threads";
import { messageOf } from "../../../core/message-of.ts";
import type { BufferJob } from "./analyze-buffer.ts";
import type { AnalysisMessage, Loaded } from "./analyzer.ts";
import { warmUpText } from "./warm-up.ts";

// All commands are in one file of the executable, which is loaded after the thread listens.
const loading = import("./analyze-buffer.ts");
void loading.then(() => parentPort?.postMessage("loaded" satisfies Loaded)).catch(() => {});
const loadCommands = async () => (await import("../../commands/commands.ts")).commands;

parentPort?.on("message", async (job: BufferJob) => {
  const before = process.cpuUsage();
  parentPort?.postMessage(await runJob(job, () => process.cpuUsage(before)));
});

// A text that comes before its end waits for it.
void loading
  .then(({ analyzeBuffer }) =>
    analyzeBuffer({ uri: "", version: 0, name: "world.json", text: warmUpText(), kind: "world" }),
  )
  .catch(() => {});

async function runJob(job: BufferJob, used: () => NodeJS.CpuUsage): Promise<AnalysisMessage> {
  const { uri, version } = job;
  try {
    const { analyzeBuffer } = await loading;
    const analysis = await analyzeBuffer(job, loadCommands);
    const { user, system } = used();
    return { uri, version, ...analysis, processorMs: (user + system) / 1_000 };
  } catch (error) {
    return { uri, version, failure: messageOf(error) };
  }
}
