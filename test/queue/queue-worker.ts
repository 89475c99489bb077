/**
 * A process of its own that takes messages and works on each for a while. It prints `took`, and then `done` or `late`,
 * each with the text of the message. Arguments: the options of the queue as JSON, and the time of work in milliseconds.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openJetStreamQueue } from "../../src/queue/jetstream/jetstream-queue.ts";
import { openPostgresQueue } from "../../src/queue/postgres/postgres-queue.ts";

const [options = "", workMs = "20"] = process.argv.slice(2);
const settings = JSON.parse(options);
const queue = await ("servers" in settings ? openJetStreamQueue(settings) : openPostgresQueue(settings));
for (;;) {
  const taken = await queue.take({ waitMs: 60_000 });
  if (!taken) continue;
  const text = new TextDecoder().decode(taken.body);
  writeSync(1, `took ${text}\n`);
  await sleep(Number(workMs));
  writeSync(1, `${(await taken.done()) ? "done" : "late"} ${text}\n`);
}
