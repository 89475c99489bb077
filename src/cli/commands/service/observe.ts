/** `edgeproof store observe`: stores observed names and pictures in a store, without a server. */

import { formatNumber } from "../../../core/format-count.ts";
import { createEdge, type Edge } from "../../../edge.ts";
import { isUnreadable } from "../../../service/brand/ingest/ingest.ts";
import { addReports, emptyReport, type IngestCounts } from "../../../service/brand/ingest/report.ts";
import type { StoredPicture } from "../../../service/brand/logos/pictures.ts";
import { formatJson, type Io } from "../../command.ts";
import type { observe } from "../../declarations/store.ts";
import type { InvocationOf } from "../../declare.ts";
import { type ObservedNames, type ObservedPicture, observedInputs } from "../../input/observed-inputs.ts";
import type { ProgressLine } from "../../output/progress.ts";
import { printEvaluated } from "../../output/report/formats.ts";
import { firstLines } from "../../output/results/first-lines.ts";
import { standardInput } from "../../standard-input.ts";
import { withStore } from "./export.ts";

/** The outcome in one account. */
interface AccountCounts extends Omit<IngestCounts, "problems"> {
  readonly account: string;
  /** The first 100. */
  readonly problems: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

/** Maximum number of problems that are reported for an account. */
const maxProblems = 100;

export async function run({ options, words, io }: InvocationOf<typeof observe>): Promise<number> {
  const inputs = await observedInputs(words, io);
  return withStore(options, io, "what was stored is kept", async (store, progress) => {
    const edge = createEdge({ store });
    try {
      const reports = await observeAll(edge, options.account, inputs, progress, io);
      if (options.json) io.stdout.write(formatJson(reports));
      else for (const report of reports) printReport(report, io);
      if (reports.some(({ rejected }) => rejected > 0)) return 1;
      const count = reports.reduce((sum, report) => sum + report.new + report.duplicate, 0);
      const [file = standardInput] = words;
      const whenEmpty = "The named files and folders have no name or picture.";
      const evaluated = { command: "store observe", kind: "name", count, file, whenEmpty } as const;
      return await printEvaluated(evaluated, options, io);
    } finally {
      await edge.close();
    }
  });
}

type Inputs = Awaited<ReturnType<typeof observedInputs>>;

async function observeAll(
  edge: Edge,
  accounts: readonly string[],
  inputs: Inputs,
  progress: ProgressLine,
  io: Io,
): Promise<readonly AccountCounts[]> {
  const reports = new Map(accounts.map((account) => [account, createReport(account)]));
  for (const input of inputs) {
    if ("lines" in input)
      for (const report of reports.values()) await observeNames(edge, report, input, io, progress);
    else await observePicture(edge, reports, input, io, progress);
  }
  progress.end();
  return [...reports.values()].map(({ account, sum, problems }) => ({ account, ...sum, problems }));
}

/** The counts of an account so far. */
interface RunningCounts {
  readonly account: string;
  sum: IngestCounts;
  readonly problems: AccountCounts["problems"][number][];
}

function createReport(account: string): RunningCounts {
  return { account, sum: emptyReport, problems: [] };
}

function add(report: RunningCounts, file: string, more: IngestCounts): void {
  report.sum = addReports(report.sum, more);
  for (const problem of more.problems)
    if (report.problems.length < maxProblems) report.problems.push({ file, ...problem });
}

async function observeNames(
  edge: Edge,
  report: RunningCounts,
  { file, lines }: ObservedNames,
  { signal }: Io,
  progress: ProgressLine,
): Promise<void> {
  const { account, sum } = report;
  const onProgress = (more: IngestCounts) =>
    progress.update(`${account}: ${formatCounts(addReports(sum, more))}`);
  add(report, file, await edge.brand.ingest.names(account, lines(), { signal, onProgress }));
}

/** Stores a picture, which is described once for all accounts. */
async function observePicture(
  edge: Edge,
  reports: ReadonlyMap<string, RunningCounts>,
  { file, read }: ObservedPicture,
  { signal }: Io,
  progress: ProgressLine,
): Promise<void> {
  signal.throwIfAborted();
  const accounts = [...reports.keys()];
  const record = await read();
  const outcome = isUnreadable(record)
    ? undefined
    : await edge.brand.pictures.observe(accounts, record, { signal });
  const problem = isUnreadable(record)
    ? record.message
    : outcome?.ok === false && outcome.problems[0].message;
  for (const [i, report] of [...reports.values()].entries()) {
    const stored = outcome?.ok ? outcome.value[i] : undefined;
    add(report, file, stored ? countsOf(stored) : rejected(problem || ""));
    progress.update(`${report.account}: ${formatCounts(report.sum)}`);
  }
}

function countsOf({ isNew, added, rejected: reason }: StoredPicture): IngestCounts {
  if (reason !== undefined) return rejected(reason);
  return { ...emptyReport, new: isNew ? 1 : 0, duplicate: isNew ? 0 : 1, matches: added };
}

function rejected(message: string): IngestCounts {
  return { ...emptyReport, rejected: 1, problems: [{ line: 1, message }] };
}

function formatCounts({ new: fresh, duplicate, rejected, matches }: Omit<IngestCounts, "problems">): string {
  const counts = `${formatNumber(fresh)} new, ${formatNumber(duplicate)} duplicate, ${formatNumber(rejected)} rejected`;
  return `${counts}, ${matches === 1 ? "1 new match" : `${formatNumber(matches)} new matches`}`;
}

function printReport({ account, problems, ...counts }: AccountCounts, { stderr }: Io): void {
  const lines = problems.map(({ file, line, message }) => `${file} ${line}: ${message}`);
  const printed = [`${account}: ${formatCounts(counts)}`, ...firstLines(counts.rejected, "problem", lines)];
  stderr.write(`${printed.join("\n")}\n`);
}
