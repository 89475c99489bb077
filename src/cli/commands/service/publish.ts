/** `edgeproof publish`: puts pictures on a work queue. */
import type { WorkQueue } from "../../../queue/port.ts";
import { isUnreadable } from "../../../service/brand/ingest/ingest.ts";
import { createPublisher, type Publisher } from "../../../service/brand/worker/publisher.ts";
import type { Store } from "../../../store/port.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  UsageError,
} from "../../command.ts";
import { databaseOfQueue, openDataStore, sharedData, sharedStoreOption } from "../../input/data-store.ts";
import { accountOption, readAccounts } from "../../input/observations/account-option.ts";
import { type ObservedPicture, observedPictures } from "../../input/observations/observed-inputs.ts";
import { type BlobPlace, readSharedBlobs } from "../../input/stores/blobs-option.ts";
import { openQueue, queueOption, requiredQueue } from "../../input/work-queue.ts";
import { queueNameOf } from "../../input/worker/worker-options.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { createProgressLine, formatCount, formatNumber } from "../../output/progress.ts";
import { explained } from "./export.ts";

export const publish: CommandDefinition = {
  about: [
    "Puts the pictures of files and folders on a work queue, from which `edgeproof worker` stores them for the accounts. `shot.png.json` beside `shot.png` has its domain, registrar, url_scan_id and matched_at. What waits in the queue already is not put again, and what is stored already is not stored twice, so that the command can be repeated.",
    "A picture that is larger than a message of the queue may be waits in the store of the workers: --data, otherwise EDGEPROOF_DATA, otherwise the database of the queue.",
  ],
  positionals: "<file|folder...>",
  options: { ...queueOption, ...accountOption, ...sharedStoreOption, ...jsonOption },
  exits: {
    0: "Every picture is on the queue.",
    1: "Some pictures are not valid; the others are on the queue.",
    2: "The queue, the store or a file cannot be used, or the command was stopped; what was put stays on the queue.",
  },
  examples: [
    "edgeproof publish --queue postgres://edge@localhost/edge --account a1,a2 shots/",
    "EDGEPROOF_QUEUE=nats://broker:4222 edgeproof publish --account a1 shot.png",
  ],
  run: runPublish,
};

/** Maximum number of accounts of one picture. */
const maxAccounts = 100;
/** Maximum number of problems that are reported, and of those that are printed for people. */
const maxProblems = { json: 100, text: 5 };

interface PublishCounts {
  accepted: number;
  /** Of the accepted ones, those that waited already. */
  waiting: number;
  rejected: number;
  readonly problems: { readonly file: string; readonly message: string }[];
}

async function runPublish(input: CommandInput, io: Io): Promise<number> {
  const address = requiredQueue(input, io);
  const data = sharedData(input, io) ?? databaseOfQueue(address);
  const blobs = readSharedBlobs(input, io);
  const accounts = readAccounts(input);
  if (accounts.length > maxAccounts)
    throw new UsageError(`--account must name at most ${maxAccounts} accounts; found ${accounts.length}`);
  if (input.positionals.length === 0)
    throw new UsageError("expected picture files or folders to publish; found none");
  const pictures = await observedPictures(input.positionals, io);
  const queue = await openQueue(address);
  io.handleSignals?.();
  try {
    const report = await publishAll(queue, address, data, blobs, accounts, pictures, io);
    if (booleanOption(input, "json")) io.stdout.write(formatJson(report));
    else printReport(report, io);
    return report.rejected > 0 ? 1 : 0;
  } catch (error) {
    throw explained(error, io, "what was put stays on the queue");
  } finally {
    await queue.close();
  }
}

async function publishAll(
  queue: WorkQueue,
  address: string,
  data: string | undefined,
  blobs: BlobPlace,
  accounts: readonly string[],
  pictures: readonly ObservedPicture[],
  io: Io,
): Promise<PublishCounts> {
  const report: PublishCounts = { accepted: 0, waiting: 0, rejected: 0, problems: [] };
  const progress = createProgressLine(io.stderr);
  let store: Store | undefined;
  const openStore = async (of: string) => {
    store = await openDataStore(of, blobs, { create: false });
    return store;
  };
  const publisher = createPublisher({
    queue,
    queueName: queueNameOf(address),
    ...(data !== undefined && { openStore: () => openStore(data) }),
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
    await store?.close();
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
    if (report.problems.length < maxProblems.json) report.problems.push({ file, message });
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
  stderr.write(`${formatCounts(report)}\n`);
  if (report.rejected === 0) return;
  const shown = report.problems.slice(0, maxProblems.text);
  const cut = report.rejected > shown.length ? `, the first ${shown.length}` : "";
  stderr.write(`${formatCount(report.rejected, "problem")}${cut}:\n`);
  for (const { file, message } of shown)
    stderr.write(`${escapeControlCharacters(`  ${file}: ${message}`)}\n`);
}
