/** Takes observed names and pictures in, and counts which of them are new, repeated or invalid. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { requireArgument } from "../../../core/arguments.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { requireScope, type ServiceContext } from "../../context.ts";
import { certificateNames } from "../domains/certificate-names.ts";
import type { QueryCompiler } from "../domains/compiled-domain-queries.ts";
import { batchSize, storeBatch } from "../domains/observe-domains.ts";
import type { InvalidRecord } from "../feed.ts";
import { batchesOf, type Feed } from "../feed-batches.ts";
import { notStored, type PictureService } from "../logos/pictures.ts";
import type { ScanRecord } from "../logos/scan-record.ts";
import { readLineRecord } from "./line-records.ts";
import { addReports, emptyReport, type IngestCounts, type IngestOptions, ingestOptions } from "./report.ts";

/** Stores observed names and pictures of an account, and counts them. */
export interface IngestService {
  /**
   * Stores the names of lines: names alone, or records as JSON (`DomainRecord`, or a certificate, which counts once for
   * each of its names). Empty lines and comments (`#`) are skipped. Each 1,000 names are one transaction.
   *
   * @throws {ApiError} when a world does not have the account
   * @throws the abort reason
   */
  names(account: string, lines: Feed<Uint8Array | string>, options?: IngestOptions): Promise<IngestCounts>;
  /**
   * Stores pictures with their facts, one transaction each.
   *
   * @param records `ScanRecord`s, or the reason why one of them cannot be read
   * @throws {ApiError} when a world does not have the account
   * @throws the abort reason
   */
  pictures(
    account: string,
    records: Feed<ScanRecord | UnreadablePicture>,
    options?: IngestOptions,
  ): Promise<IngestCounts>;
}

/** A picture that cannot be read. */
export interface UnreadablePicture {
  /** One sentence: the reason. */
  readonly message: string;
}

/** Whether a record says why a picture cannot be read. The facts of a picture may have a member `message`, too. */
export function isUnreadable(record: ScanRecord | UnreadablePicture): record is UnreadablePicture {
  return isJsonObject(record) && "message" in record && !("image" in record);
}

export function ingestService(
  context: ServiceContext,
  compile: QueryCompiler,
  pictures: PictureService,
): IngestService {
  return {
    names: async (account, lines, options = {}) => {
      requireArgument("options", options, ingestOptions);
      await compile(account);
      return sumOf(batchesOf(lines, batchSize, options.signal), options, (batch, first) =>
        storeLines(context, compile, account, batch, first),
      );
    },
    pictures: async (account, records, options = {}) => {
      requireArgument("options", options, ingestOptions);
      await context.store.read((tx) => requireScope(tx, "brand", "accounts", account));
      return sumOf(batchesOf(records, 1, options.signal), options, ([record], position) =>
        storePicture(pictures, account, record, position, options.signal),
      );
    },
  };
}

/** @param store stores a batch; its second argument is the number of its first element, from 1 */
async function sumOf<T>(
  batches: AsyncIterable<readonly T[]>,
  { signal, onProgress }: IngestOptions,
  store: (batch: readonly T[], first: number) => Promise<IngestCounts>,
): Promise<IngestCounts> {
  let report = emptyReport;
  let first = 1;
  for await (const batch of batches) {
    report = addReports(report, await store(batch, first));
    first += batch.length;
    onProgress?.(report);
    signal?.throwIfAborted();
  }
  return report;
}

async function storeLines(
  context: ServiceContext,
  compile: QueryCompiler,
  account: string,
  lines: readonly (Uint8Array | string)[],
  first: number,
): Promise<IngestCounts> {
  const records: unknown[] = [];
  const numbers: number[] = [];
  const problems: InvalidRecord[] = [];
  for (const [i, line] of lines.entries()) {
    const read = readLineRecord(line);
    if (!read) continue;
    if ("message" in read) problems.push({ line: first + i, message: read.message });
    else
      for (const record of certificateNames(read.record) ?? [read.record]) {
        records.push(record);
        numbers.push(first + i);
      }
  }
  let report = emptyReport;
  // A line may have a certificate with thousands of names.
  for (let from = 0; from < records.length; from += batchSize) {
    const batch = records.slice(from, from + batchSize);
    const { fresh, valid, added, invalid } = await storeBatch(context, compile, account, batch, from, true);
    report = addReports(report, {
      new: fresh,
      duplicate: valid - fresh,
      rejected: invalid.length,
      matches: added,
      problems: invalid.map(({ line, message }) => ({ line: numbers[line] ?? first, message })),
    });
    // A store in memory does not return to the event loop by itself.
    await nextTurn();
  }
  return {
    ...report,
    rejected: report.rejected + problems.length,
    problems: [...report.problems, ...problems].sort((a, b) => a.line - b.line),
  };
}

async function storePicture(
  pictures: PictureService,
  account: string,
  record: ScanRecord | UnreadablePicture | undefined,
  position: number,
  signal: AbortSignal | undefined,
): Promise<IngestCounts> {
  const rejected = (message: string) => ({
    ...emptyReport,
    rejected: 1,
    problems: [{ line: position, message }],
  });
  if (record === undefined) return emptyReport;
  if (isUnreadable(record)) return rejected(record.message);
  const outcome = await pictures.observe([account], record, { ...(signal && { signal }) });
  if (!outcome.ok) return rejected(outcome.problems[0].message);
  const [{ isNew, added, rejected: reason } = notStored] = outcome.value;
  if (reason !== undefined) return rejected(reason);
  return { ...emptyReport, new: isNew ? 1 : 0, duplicate: isNew ? 0 : 1, matches: added };
}
