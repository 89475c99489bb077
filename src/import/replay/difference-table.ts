/** Counts equal differences together, with a few examples of each, in bounded memory. */
import type { VerdictAction } from "../../engine/tokens/verdict/verdict.ts";
import type { RequestExample } from "./printable.ts";

/** One side of a difference: the action, and the rule and reasons that led to it. */
export interface DifferenceSide {
  /** The action. */
  readonly action: VerdictAction;
  /** Id of the rule that decided. */
  readonly rule?: string;
  /** Title of the rule. */
  readonly title?: string;
  /** The reasons, such as `expired`; absent for the edge, which does not record them. */
  readonly reason?: string;
}

/** The properties that distinguish differences. */
export interface DifferenceKind {
  /** Id of the zone. */
  readonly zone: string;
  /** Host of the requests. */
  readonly host: string;
  /** Id of the operation; absent when the requests match none. */
  readonly operation?: string;
  /** The earlier answer: of the old configuration, or of the edge. */
  readonly from: DifferenceSide;
  /** The later answer. */
  readonly to: DifferenceSide;
}

/** Equal differences. */
export interface Difference extends DifferenceKind {
  /** Number of requests. */
  readonly count: number;
  /** Whether an expectation allows it. */
  readonly expected: boolean;
  /** Whether something undecided in the configurations could change it. */
  readonly couldChange: boolean;
  /** The first requests. */
  readonly examples: readonly RequestExample[];
}

/** The printed properties of a difference, beside its count. */
type DifferenceMarks = Pick<Difference, "expected" | "couldChange">;

interface Counted {
  readonly kind: DifferenceKind;
  readonly examples: RequestExample[];
  count: number;
}

/** Maximum number of different differences of a report (`chosen`); the others are only counted. */
export const maxDifferences = 1000;

/** Maximum number of examples of a difference (`chosen`). */
const maxExamples = 3;

/** Collects differences. */
export interface DifferenceTable {
  /** Number of requests that differ. */
  readonly total: number;
  /** Number of requests that differ and are not in `list`. */
  readonly others: number;
  /** Counts one request; the example is created only when it is kept. */
  add(kind: DifferenceKind, example: () => RequestExample): void;
  /** Adds all of another table. */
  merge(other: DifferenceTable): void;
  /** The differences, most frequent first. */
  list(mark: (kind: DifferenceKind) => DifferenceMarks): readonly Difference[];
  /** Iterates what was counted. */
  entries(): Iterable<{ kind: DifferenceKind; count: number; examples: readonly RequestExample[] }>;
}

/** Creates an empty table. */
export function createDifferenceTable(): DifferenceTable {
  const counted = new Map<string, Counted>();
  let total = 0;
  let others = 0;

  function count(kind: DifferenceKind, times: number): Counted | undefined {
    total += times;
    const key = JSON.stringify([kind.zone, kind.host, kind.operation, sideKey(kind.from), sideKey(kind.to)]);
    const known = counted.get(key);
    if (known === undefined && counted.size >= maxDifferences) {
      others += times;
      return undefined;
    }
    const entry = known ?? { kind, examples: [], count: 0 };
    counted.set(key, entry);
    entry.count += times;
    return entry;
  }

  return {
    get total() {
      return total;
    },
    get others() {
      return others;
    },
    add(kind, example) {
      const entry = count(kind, 1);
      if (entry !== undefined && entry.examples.length < maxExamples) entry.examples.push(example());
    },
    merge(other) {
      for (const { kind, count: times, examples } of other.entries()) {
        const entry = count(kind, times);
        entry?.examples.push(...examples.slice(0, Math.max(0, maxExamples - entry.examples.length)));
      }
      total += other.others;
      others += other.others;
    },
    list(mark) {
      return [...counted.values()]
        .sort((a, b) => b.count - a.count)
        .map(({ kind, count: times, examples }) => {
          return { ...kind, count: times, ...mark(kind), examples };
        });
    },
    entries: () => counted.values(),
  };
}

function sideKey({ action, rule, reason }: DifferenceSide): readonly (string | undefined)[] {
  return [action, rule, reason];
}
