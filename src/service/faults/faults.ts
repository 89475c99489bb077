/** Faults on demand: counts what happens, and decides which of it fails. Nothing is random. */
import { DependencyUnavailableError } from "../../errors.ts";
import type { Store } from "../../store/port.ts";
import type { FaultInjector, FaultPoint, FaultRule } from "../faults.ts";
import { type CompiledRule, requireFaultRules } from "./fault-rules.ts";
import type { FaultTarget } from "./match.ts";
import { wait } from "./wait.ts";

interface CountedRule extends CompiledRule {
  counted: number;
  happened: number;
}

/** Counts one that matches, and returns whether the fault happens. */
function isItsTurn(rule: CountedRule): boolean {
  const { every = 1, times = Number.POSITIVE_INFINITY } = rule.rule;
  rule.counted++;
  if (rule.counted % every !== 0 || rule.happened >= times) return false;
  rule.happened++;
  return true;
}

/**
 * Creates the faults of a simulator.
 *
 * @throws {InvalidInputError} with every problem of the rules and its pointer
 */
export function createFaults(given: readonly FaultRule[], targets: readonly FaultTarget[]): FaultInjector {
  const counting = (rules: readonly FaultRule[]): readonly CountedRule[] =>
    requireFaultRules(rules, targets).map((rule) => ({ ...rule, counted: 0, happened: 0 }));
  let current = counting(given);

  /** Every rule that matches counts; of those whose turn it is the fault of the first one happens. */
  const strike = (isAbout: (rule: CountedRule) => boolean): FaultRule | undefined => {
    let struck: FaultRule | undefined;
    for (const rule of current) {
      if (!isAbout(rule)) continue;
      if (struck !== undefined) rule.counted++;
      else if (isItsTurn(rule)) struck = rule.rule;
    }
    return struck;
  };

  return {
    rules: () => current.map(({ rule, counted, happened }) => ({ rule, counted, happened })),
    replace: (rules) => {
      current = counting(rules);
    },
    ofRequest: (request) =>
      strike(({ rule: { at = "answer" }, matches }) => at === "answer" && matches(request)),
    before: (point) => {
      const fault = strike(({ rule }) => rule.at === point);
      return fault && failDependency(fault, point);
    },
  };
}

async function failDependency({ delayMs = 0, status }: FaultRule, point: FaultPoint): Promise<void> {
  await wait(delayMs);
  const message = `a fault of ${point} was injected`;
  if (status === 503) throw new DependencyUnavailableError(message);
  if (status !== undefined) throw new Error(message);
}

/** The store, with its faults before each transaction. */
export function faultyStore(store: Store, { before }: Pick<FaultInjector, "before">): Store {
  const afterFault = <T>(run: () => Promise<T>): Promise<T> => before("store")?.then(run) ?? run();
  return {
    ...store,
    read: (work, options) => afterFault(() => store.read(work, options)),
    write: (work, options) => afterFault(() => store.write(work, options)),
  };
}
