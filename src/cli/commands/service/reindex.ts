/** `edgeproof store reindex`: describes stored pictures again after an update. */

import { formatNumber } from "../../../core/format-count.ts";
import { createEdge } from "../../../edge.ts";
import { type ReindexCounts, reindexLogos } from "../../../service/brand/logos/stored-descriptors.ts";
import { formatJson } from "../../command.ts";
import type { reindex } from "../../declarations/store.ts";
import type { InvocationOf } from "../../declare.ts";
import { withStore } from "./export.ts";

export async function run({ options, io }: InvocationOf<typeof reindex>): Promise<number> {
  return withStore(options, io, "what was described is kept", async (store, progress) => {
    const onProgress = (report: ReindexCounts) => progress.update(formatReport(report));
    // First use of an edge: from then on processes of earlier versions leave the accounts alone.
    await createEdge({ store }).store.read(async () => {});
    const report = await reindexLogos(store, { onProgress, signal: io.signal });
    progress.end();
    if (options.json) io.stdout.write(formatJson(report));
    else io.stderr.write(`reindexed: ${formatReport(report)}\n`);
    return 0;
  });
}

function formatReport({ described, current, skipped }: ReindexCounts): string {
  return `${formatNumber(described)} described again, ${formatNumber(current)} current, ${formatNumber(skipped)} skipped`;
}
