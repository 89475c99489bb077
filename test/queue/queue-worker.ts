/** A process of its own that takes messages and prints the text of each that it has done. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresQueue, type PostgresQueueOptions } from "../../src/queue/postgres/postgres-queue.ts";

const queue = await openPostgresQueue(JSON.parse(process.argv[2] ?? "") as PostgresQueueOptions);
for (;;) {
  const taken = await queue.take({ waitMs: 60_000 });
  await sleep(20);
  if (await taken?.done()) writeSync(1, `${new TextDecoder().decode(taken?.body)}\n`);
}
