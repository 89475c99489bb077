/** `edgeproof queue publish`: puts pictures on a work queue. */

import { formatNumber } from "../../../core/format-count.ts";
import { isUnreadable } from "../../../service/brand/ingest/ingest.ts";
import { createPublisher, type Publisher } from "../../../service/brand/worker/publisher.ts";
import type { Store } from "../../../store/port.ts";
import { formatJson, type Io } from "../../command.ts";
import type { publish } from "../../declarations/queue.ts";
import type { InvocationOf } from "../../declare.ts";
import { readSharedBlobs } from "../../input/blobs-option.ts";
import { databaseOfQueue, openDataStore, sharedData } from "../../input/data-store.ts";
import { type ObservedPicture, observedPictures } from "../../input/observed-inputs.ts";
import { openQueue, requiredQueue } from "../../input/work-queue.ts";
import { queueNameOf } from "../../input/worker-options.ts";
import { createProgressLine } from "../../output/progress.ts";
import { firstLines } from "../../output/results/first-lines.ts";
import { explained } from "./export.ts";

/** Maximum number of problems that are reported. */
const maxProblems = 100;

interface PublishCounts {
  accepted: number;
  /** Of the accepted ones, those that waited already. */
  waiting: number;
  rejected: number;
  readonly problems: { readonly file: string; readonly message: string }[];
}

export async function run({ options, words, io }: InvocationOf<typeof publish>): Promise<number> {
  const address = requiredQueue(options, io);
  const data = sharedData(options, io) ?? databaseOfQueue(address);
  const blobs = readSharedBlobs(options, io);
  const pictures = await observedPictures(words, io);
  io.handleSignals?.();
  // Before the queue is created or a picture is accepted, also when no picture is large enough to need the store.
  const store = data === undefined ? undefined : await openDataStore(data, blobs, { create: false });
  try {
    const report = await publishAll(address, store, options.account, pictures, io);
    if (options.json) io.stdout.write(formatJson(report));
    else printReport(report, io);
    return report.rejected > 0 ? 1 : 0;
  } catch (error) {
    throw explained(error, io, "what was put stays on the queue");
  } finally {
    await store?.close();
  }
}

async function publishAll(
  address: string,
  store: Store | undefined,
  accounts: readonly string[],
  pictures: readonly ObservedPicture[],
  io: Io,
): Promise<PublishCounts> {
  const report: PublishCounts = { accepted: 0, waiting: 0, rejected: 0, problems: [] };
  // Without a store, only a queue that was set up shows that there are workers for the pictures.
  const queue = await openQueue(address, { create: store !== undefined });
  const progress = createProgressLine(io.stderr);
  const publisher = createPublisher({
    queue,
    queueName: queueNameOf(address),
    ...(store && { openStore: async () => store }),
  });
  try {
    for (const picture of pictures) {
      io.signal.throwIfAborted();
      await publishOne(publisher, accounts, picture, report);
      progress.update(formatCounts(report));
    }
    return report;
  } finally {
    progress.end();
    await queue.close();
  }
}

async function publishOne(
  publisher: Publisher,
  accounts: readonly string[],
  { file, read }: ObservedPicture,
  report: PublishCounts,
): Promise<void> {
  const reject = (message: string) => {
    report.rejected++;
    if (report.problems.length < maxProblems) report.problems.push({ file, message });
  };
  const record = await read();
  if (isUnreadable(record)) return reject(record.message);
  const outcome = await publisher.put(accounts, record);
  if (!outcome.ok) return reject(outcome.problems[0].message);
  report.accepted++;
  if (!outcome.value.isNew) report.waiting++;
}

function formatCounts({ accepted, waiting, rejected }: PublishCounts): string {
  const known = waiting > 0 ? ` (${formatNumber(waiting)} waited already)` : "";
  return `${formatNumber(accepted)} accepted${known}, ${formatNumber(rejected)} rejected`;
}

function printReport(report: PublishCounts, { stderr }: Io): void {
  const lines = report.problems.map(({ file, message }) => `${file}: ${message}`);
  const printed = [formatCounts(report), ...firstLines(report.rejected, "problem", lines)];
  stderr.write(`${printed.join("\n")}\n`);
}
