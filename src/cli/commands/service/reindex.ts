/** `edgeproof reindex`: describes stored pictures again after an update. */
import { createEdge } from "../../../edge.ts";
import { type ReindexCounts, reindexLogos } from "../../../service/brand/logos/stored-descriptors.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
} from "../../command.ts";
import { assertDataExists, openDataStore, requiredData, storeOption } from "../../input/data-store.ts";
import { readBlobs } from "../../input/stores/blobs-option.ts";
import { createProgressLine, formatNumber } from "../../output/progress.ts";
import { explained } from "./export.ts";

export const reindex: CommandDefinition = {
  about: [
    "A new version of edgeproof may describe pictures in another way. A stored logo or scanned picture is then described again when it is first needed, which makes the first search slow; this command does it for all of them. It can be stopped and started again, and a server may use the store meanwhile.",
  ],
  positionals: "",
  options: { ...storeOption, ...jsonOption },
  exits: {
    0: "All stored pictures have descriptors of this version, except those that are listed as skipped.",
    2: "The store cannot be used, or the command was stopped; what was described is kept.",
  },
  examples: ["edgeproof reindex --data ./edge.db"],
  run: runReindex,
};

async function runReindex(input: CommandInput, io: Io): Promise<number> {
  const data = requiredData(input);
  await assertDataExists(data);
  const store = await openDataStore(data, readBlobs(input, io));
  io.handleSignals?.();
  const progress = createProgressLine(io.stderr);
  const onProgress = (report: ReindexCounts) => progress.update(formatReport(report));
  try {
    // First use of an edge: from then on processes of earlier versions leave the accounts alone.
    await createEdge({ store }).store.read(async () => {});
    const report = await reindexLogos(store, { onProgress, signal: io.signal });
    progress.end();
    if (booleanOption(input, "json")) io.stdout.write(formatJson(report));
    else io.stderr.write(`reindexed: ${formatReport(report)}\n`);
    return 0;
  } catch (error) {
    progress.end();
    throw explained(error, io, "what was described is kept");
  } finally {
    await store.close();
  }
}

function formatReport({ described, current, skipped }: ReindexCounts): string {
  return `${formatNumber(described)} described again, ${formatNumber(current)} current, ${formatNumber(skipped)} skipped`;
}
