/** A thread without the globals of Node.js that browsers do not have: runs the scenario of a bundle, and posts its result. */
import { parentPort, workerData } from "node:worker_threads";

for (const name of ["Buffer", "process", "global", "setImmediate", "clearImmediate", "require"])
  delete globalThis[name];

const { run } = await import(workerData.main);
parentPort.postMessage(JSON.stringify(await run(workerData.input)));
