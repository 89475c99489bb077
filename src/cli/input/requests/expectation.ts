/** Expectations of requests, with the ids that a zone has for the names of rules. */
import {
  type NamedDecision,
  nameDecision,
  resolveDecision,
} from "../../../engine/tokens/names/decision-names.ts";
import { createPartNames, type PartNames } from "../../../engine/tokens/names/part-names.ts";
import type { Decision } from "../../../engine/tokens/verdict/decision.ts";
import { readStoredZone } from "../../../service/tokens/evaluation.ts";
import type { LoadedWorld } from "../world-file.ts";
import type { RequestLine } from "./requests-file.ts";

/** An expected action or decision, as it is compared with verdicts. */
export interface Expectation {
  /** With ids; undefined when anything is expected, and when there are problems. */
  readonly expected: Exclude<RequestLine["expect"], object> | NamedDecision | undefined;
  /** Why names in it are not those of one rule; nothing is as expected then. */
  readonly problems: readonly string[];
  /** A decision as the expectation states it: with names, unless it has ids. */
  readonly show: (decision: Decision) => NamedDecision;
  /** The names of the zone; undefined when no zone has the host. */
  readonly names?: PartNames;
}

/** Without names, as for hosts of no zone. */
export function plainExpectation(expected: RequestLine["expect"]): Expectation {
  return { expected, problems: [], show: (decision) => decision };
}

/** Reads expectations about the rules of an edge, whose names are read once for each zone. */
export function createExpectations({
  edge,
}: Pick<LoadedWorld, "edge">): (zone: string, expected: RequestLine["expect"]) => Promise<Expectation> {
  const known = new Map<string, PartNames>();
  const namesOf = async (zone: string) => {
    const names = known.get(zone) ?? createPartNames(await readZone(zone));
    known.set(zone, names);
    return names;
  };
  const readZone = async (zone: string) => (await edge.store.read((tx) => readStoredZone(tx, zone))).input;
  return async (zone, expected) => {
    const names = await namesOf(zone);
    if (typeof expected !== "object" || !hasNames(expected)) return { ...plainExpectation(expected), names };
    const resolved = resolveDecision(names, expected);
    const show = (decision: Decision) => nameDecision(names, decision);
    return "decision" in resolved
      ? { expected: resolved.decision, problems: [], show, names }
      : { expected: undefined, problems: resolved.problems, show, names };
  };
}

function hasNames({ rule, logged, custom }: NamedDecision): boolean {
  const { skipped = {}, logged: recorded = [], undecided = [] } = custom ?? {};
  const { rules = [], rulesets = [] } = skipped;
  return [rule, ...logged, ...recorded, ...undecided, ...rules, ...rulesets].some(
    (value) => typeof value === "object",
  );
}
