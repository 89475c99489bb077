/** `edgeproof store reindex`: describes stored pictures again after an update. */

import { createEdge } from "../../../edge.ts";

import { type ReindexCounts, reindexLogos } from "../../../service/brand/logos/stored-descriptors.ts";
import { formatJson } from "../../command.ts";
import type { reindex } from "../../declarations/store.ts";
import type { InvocationOf } from "../../declare.ts";
import { assertDataExists, openDataStore } from "../../input/data-store.ts";

import { readBlobs } from "../../input/stores/blobs-option.ts";
import { createProgressLine, formatNumber } from "../../output/progress.ts";
import { explained } from "./export.ts";

export async function run({ options, io }: InvocationOf<typeof reindex>): Promise<number> {
  const { data } = options;
  await assertDataExists(data);
  const store = await openDataStore(data, readBlobs(options, io));
  io.handleSignals?.();
  const progress = createProgressLine(io.stderr);
  const onProgress = (report: ReindexCounts) => progress.update(formatReport(report));
  try {
    // First use of an edge: from then on processes of earlier versions leave the accounts alone.
    await createEdge({ store }).store.read(async () => {});
    const report = await reindexLogos(store, { onProgress, signal: io.signal });
    progress.end();
    if (options.json) io.stdout.write(formatJson(report));
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
