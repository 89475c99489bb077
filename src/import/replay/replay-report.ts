/** The report of a replay. */
import type { VerdictAction } from "../../engine/tokens/verdict/verdict.ts";
import type { RejectedRecord } from "../traffic/recorded-request.ts";
import type { Undecided } from "../undecided.ts";
import { couldChange } from "../world/could-change.ts";
import type { Difference, DifferenceKind, DifferenceTable } from "./difference-table.ts";
import { type ExpectedChange, isExpectedChange } from "./expected-changes.ts";
import type { RecordedTokenState, Tally } from "./tally.ts";

/** The counts of a file. */
export interface FileCounts {
  /** Name of the file. */
  readonly file: string;
  /** Number of requests. */
  readonly requests: number;
  /** Number of requests to hosts of no zone; they are not evaluated. */
  readonly outside: number;
  /** Their number by host, most first; at most 50 hosts. */
  readonly outsideHosts: Readonly<Record<string, number>>;
  /** Number of requests whose time is not recorded. */
  readonly untimed: number;
  /** Parts of the file that are not requests. */
  readonly rejected: {
    /** Number of all of them. */
    readonly count: number;
    /** The first 20. */
    readonly listed: readonly RejectedRecord[];
  };
  /** Number of requests that never reached the edge, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Number of requests by remark, such as a URL that the recorder may have changed. */
  readonly remarks: Readonly<Record<string, number>>;
}

/** Requests that differ. */
export interface DifferenceCounts {
  /** Number of requests that differ. */
  readonly total: number;
  /** Number of requests that differ and are not expected. */
  readonly unexpected: number;
  /** Number of requests by rule, most first: the rule that decides now, or else the one that decided before. */
  readonly byRule: Readonly<Record<string, number>>;
  /** Number of requests by operation, most first. */
  readonly byOperation: Readonly<Record<string, number>>;
  /** Number of requests by host, most first. */
  readonly byHost: Readonly<Record<string, number>>;
  /** At most 1,000 different ones, most frequent first. */
  readonly differences: readonly Difference[];
  /** Number of requests that differ and are not listed. */
  readonly others: number;
}

/** The comparison with the edge. */
export interface EdgeCounts extends DifferenceCounts {
  /** Number of requests whose real answer is recorded. */
  readonly compared: number;
  /** Number of requests with the same action. */
  readonly same: number;
  /** Number of requests with the same action, by another rule of the configuration. */
  readonly otherRule: number;
  /** Number of requests for which the edge found another operation of the configuration. */
  readonly otherOperation: number;
  /** Number of requests that another product of the edge ended; they are not compared. */
  readonly endedByOther: number;
}

/** The report of a replay. */
export interface ReplayCounts {
  /** One entry a file, in order. */
  readonly files: readonly FileCounts[];
  /** Requests of the zones by the state of their token. */
  readonly tokens: Readonly<Record<RecordedTokenState, number>>;
  /** Number of requests with a verdict. */
  readonly evaluated: number;
  /** Number of requests with a verdict for an assumed token. */
  readonly assumed: number;
  /** Number of requests whose verdict something undecided in the configuration could change. */
  readonly couldChange: number;
  /** Number of requests whose verdict depends on something that the recording does not show. */
  readonly notEvaluated: number;
  /** Verdicts of the configuration. */
  readonly verdicts: Readonly<Record<VerdictAction, number>>;
  /** Requests with an undecided verdict, which is not compared, by the value that custom rules need. */
  readonly needs: Readonly<Record<string, number>>;
  /** Verdicts that the new configuration changes; absent when there is nothing to compare with. */
  readonly changes?: DifferenceCounts;
  /** The comparison with the edge; absent when the recordings have no real answers. */
  readonly edge?: EdgeCounts;
  /** Expected changes that no request had. */
  readonly unseen: readonly ExpectedChange[];
  /** Number of changes that are not expected: of `changes`, or of `edge` when nothing else is compared. */
  readonly unexpected: number;
}

/** The context of a report, beside the counts. */
export interface ReportOptions {
  /** Whether two configurations are compared. */
  readonly compares: boolean;
  readonly expected: readonly ExpectedChange[];
  readonly undecided: readonly Undecided[];
}

/** Creates the report. */
export function createReport(
  files: readonly FileCounts[],
  tally: Tally,
  { compares, expected, undecided }: ReportOptions,
): ReplayCounts {
  const { evaluated, assumed, couldChange: uncertain, notEvaluated, endedByOther, ...rest } = tally.numbers;
  const changes = compares ? reportTable(tally.changes, expected, undecided) : undefined;
  const hasEdge = rest.compared > 0 || endedByOther > 0;
  const edge = hasEdge
    ? { ...rest, endedByOther, ...reportTable(tally.edge, compares ? [] : expected, undecided) }
    : undefined;
  const decisive = changes ?? edge;
  return {
    files,
    tokens: { ...tally.tokens },
    evaluated,
    assumed,
    couldChange: uncertain,
    notEvaluated,
    verdicts: { ...tally.verdicts },
    needs: { ...tally.needs },
    ...(changes && { changes }),
    ...(edge && { edge }),
    unseen: expected.filter(
      (change) => !decisive?.differences.some((kind) => isExpectedChange(kind, [change])),
    ),
    unexpected: decisive?.unexpected ?? 0,
  };
}

function reportTable(
  table: DifferenceTable,
  expected: readonly ExpectedChange[],
  undecided: readonly Undecided[],
): DifferenceCounts {
  const differences = table.list((kind) => {
    const isUndecided = couldChange(undecided, kind).length > 0;
    return { expected: isExpectedChange(kind, expected), couldChange: isUndecided };
  });
  const listed = differences
    .filter((difference) => !difference.expected)
    .reduce((sum, { count }) => sum + count, 0);
  const by = (name: (kind: DifferenceKind) => string | undefined) => sumBy(differences, name);
  return {
    total: table.total,
    unexpected: listed + table.others,
    byRule: by(({ from, to }) => (to.action === "allow" ? (from.rule ?? to.rule) : (to.rule ?? from.rule))),
    byOperation: by(({ operation }) => operation),
    byHost: by(({ host }) => host),
    differences,
    others: table.others,
  };
}

function sumBy(
  differences: readonly Difference[],
  nameOf: (kind: DifferenceKind) => string | undefined,
): Record<string, number> {
  const sums = new Map<string, number>();
  for (const difference of differences) {
    const name = nameOf(difference) ?? "none";
    sums.set(name, (sums.get(name) ?? 0) + difference.count);
  }
  return Object.fromEntries([...sums].sort(([, a], [, b]) => b - a));
}
