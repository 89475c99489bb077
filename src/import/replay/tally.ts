/** The counts of a replay. Two tallies can be added, because some requests are settled only at the end of their file. */
import type { VerdictAction } from "../../engine/tokens/verdict/verdict.ts";
import { createDifferenceTable, type DifferenceTable } from "./difference-table.ts";

/** The state of a request's token in the recording. */
export const tokenStates = ["present", "absent", "redacted", "stripped"] as const;

/** The state of a request's token in the recording. */
export type RecordedTokenState = (typeof tokenStates)[number];

/** The counts. */
export interface Tally {
  /** Requests by the state of their token. */
  readonly tokens: Record<RecordedTokenState, number>;
  /** Verdicts of the new configuration. */
  readonly verdicts: Record<VerdictAction, number>;
  readonly numbers: {
    /** Requests with a verdict. */
    evaluated: number;
    /** Requests with a verdict for an assumed token; also in `evaluated`. */
    assumed: number;
    /** Requests whose verdict something undecided in the configuration could change. */
    couldChange: number;
    /** Requests without a verdict. */
    notEvaluated: number;
    /** Requests whose verdict was compared with the edge's answer. */
    compared: number;
    /** Requests with the same action as at the edge. */
    same: number;
    /** Requests that another product of the edge ended. */
    endedByOther: number;
    /** Requests with the same action, by another rule. */
    otherRule: number;
    /** Requests for which the edge found another operation. */
    otherOperation: number;
  };
  /** Requests whose verdict is undecided, by the value that custom rules need. */
  readonly needs: Record<string, number>;
  /** From the old configuration to the new one. */
  readonly changes: DifferenceTable;
  /** From the edge to the configuration that it should have had. */
  readonly edge: DifferenceTable;
}

/** Creates an empty tally. */
export function createTally(): Tally {
  return {
    tokens: { present: 0, absent: 0, redacted: 0, stripped: 0 },
    verdicts: { allow: 0, log: 0, block: 0, challenge: 0, undecided: 0 },
    numbers: {
      evaluated: 0,
      assumed: 0,
      couldChange: 0,
      notEvaluated: 0,
      compared: 0,
      same: 0,
      endedByOther: 0,
      otherRule: 0,
      otherOperation: 0,
    },
    needs: {},
    changes: createDifferenceTable(),
    edge: createDifferenceTable(),
  };
}

/** Adds a tally to another one. */
export function addTally(to: Tally, from: Tally): void {
  addCounts(to.tokens, from.tokens);
  addCounts(to.verdicts, from.verdicts);
  addCounts(to.numbers, from.numbers);
  for (const [name, count] of Object.entries(from.needs)) to.needs[name] = (to.needs[name] ?? 0) + count;
  to.changes.merge(from.changes);
  to.edge.merge(from.edge);
}

function addCounts<Name extends string>(
  to: Record<Name, number>,
  from: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(from) as Name[]) to[name] += from[name];
}
