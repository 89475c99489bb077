/**
 * Finds requests that notice the mutants of a zone with custom rules: first those that are known, then others that differ from
 * them in one value near a changed leaf, then by a question about all requests, and at last by comparing the zones.
 */

import { addTo } from "../../../../core/groups.ts";
import type { CustomPart } from "../../analysis/rulesets/ruleset-part.ts";
import { compileRight } from "../../expression/compile-right.ts";
import { createPlainProgram, type Program } from "../../expression/compile-value.ts";
import type { Expression, Test } from "../../expression/tree.ts";
import { leavesOf, listsOf } from "../../expression/tree-queries.ts";
import type { CustomRule } from "../../rulesets/model.ts";
import { createProgram } from "../../rulesets/program.ts";
import { compareWithMutant, unusableTokens } from "../mutants/compare-with-mutant.ts";
import type { Mutant } from "../mutants/mutant.ts";
import type { NoticeResult } from "../mutants/notice-result.ts";
import type { ChangedLeaf } from "../mutants/ruleset-mutants.ts";
import type { SuiteOptions } from "../suite-model.ts";
import {
  add,
  addCandidate,
  atAnyTime,
  type Collected,
  type Collector,
  type GeneratedCandidate,
} from "./collector.ts";
import { isTimeless, toSuiteTokens, type ValidRequest } from "./generated-request.ts";
import { type Ask, createQuestions, distinguishLeaf } from "./leaf-questions.ts";
import { createNearRequests, type IsUseful } from "./near-requests.ts";
import { statedValue } from "./with-value.ts";

type Result = NoticeResult<Collected>;

/** Options of the search. */
export interface NoticeOptions extends SuiteOptions {
  /** Whether a request may have tokens that are valid at some times only. */
  readonly acceptsTimes?: boolean;
}

/** The number of requests that are remembered for noticing a mutant. */
const maxNoticing = 4;

/** The number of requests that are changed in one value, and of those that are tried for it. */
const maxBases = 6;
const maxTried = 200;

/** Searches a request for each mutant, and adds the requests to the collection. */
export function noticeMutants(
  collector: Collector,
  part: CustomPart | undefined,
  mutants: readonly Mutant[],
  options: NoticeOptions,
): ReadonlyMap<Mutant, Result> {
  const search = createSearch(collector, part);
  const results = new Map<Mutant, Result>();
  const settle = (mutant: Mutant, result: Result | undefined): boolean => {
    if (result === undefined) return false;
    options.onProgress?.(results.size, mutants.length);
    results.set(mutant, result);
    return true;
  };
  const [ofLeaves, others] = partition(mutants, (mutant) => changedLeaf(mutant) !== undefined);
  const tryNear = (mutant: Mutant) => search.known(mutant) ?? search.near(mutant);
  const open = [...ofLeaves, ...others].filter((mutant) => !settle(mutant, tryNear(mutant)));
  /** The mutants that questions about all requests leave open. */
  const askAll = (asked: readonly Mutant[]) => {
    let ask: Ask | undefined;
    return asked.filter((mutant) => {
      if (settle(mutant, tryNear(mutant))) return false;
      ask ??= createQuestions(collector, asked, options);
      return !settle(mutant, search.asked(mutant, ask));
    });
  };
  const [ofTrees, more] = partition(open, isOfZoneLeaves);
  const left = [...askAll(ofTrees), ...more].filter(
    (mutant) => !settle(mutant, tryNear(mutant) ?? search.distinguished(mutant, options)),
  );
  const [changed, compared] = partition(left, (mutant) => isOfTree(mutant) && !isOfZoneLeaves(mutant));
  compared.push(...inBatches(changed).flatMap(askAll));
  for (const mutant of compared) settle(mutant, search.compared(mutant, options));
  return results;
}

function partition<T>(list: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  return [list.filter(isFirst), list.filter((item) => !isFirst(item))];
}

/** The leaf that a mutant of an expression changes. */
function changedLeaf({ change }: Mutant) {
  return change.part === "custom rule" && change.edit === "replace" ? change.leaf : undefined;
}

/** The number of mutants with other leaves in one model. */
const batchSize = 8;

/** The mutants of each rule, some at a time. */
function inBatches(mutants: readonly Mutant[]): Mutant[][] {
  const batches: Mutant[][] = [];
  for (const mutant of mutants) {
    const last = batches.at(-1);
    const isSame = last?.[0]?.rule === mutant.rule && last?.[0]?.ruleset === mutant.ruleset;
    if (last !== undefined && isSame && last.length < batchSize) last.push(mutant);
    else batches.push([mutant]);
  }
  return batches;
}

/** Whether a mutant changes the expression of a custom rule. */
function isOfTree({ change }: Mutant): boolean {
  return change.part === "custom rule" && change.edit === "replace" && change.tree !== undefined;
}

/** Whether a mutant combines the leaves of the zone in another way. */
function isOfZoneLeaves({ change }: Mutant): boolean {
  if (change.part !== "custom rule" || change.edit !== "replace" || change.tree === undefined) return false;
  return (
    change.leaf === undefined || leavesOf(change.leaf.after).every((leaf) => leaf === change.leaf?.before)
  );
}

interface Search {
  /** A known request. */
  known(mutant: Mutant): Result | undefined;
  /** A request that differs from a known one in one value. */
  near(mutant: Mutant): Result | undefined;
  /** The answer to a question about the leaves of the zone. */
  asked(mutant: Mutant, ask: Ask): Result | undefined;
  /** The proof that a changed leaf always has the same value, or a known request with a value for which it has not. */
  distinguished(mutant: Mutant, options: SuiteOptions): Result | undefined;
  compared(mutant: Mutant, options: NoticeOptions): Result;
}

/** A leaf that a mutant changes, with the expression that it is of, and what takes its place. */
interface LeafChange {
  readonly leaf: Test;
  readonly tree: Expression;
  readonly near: readonly Test[];
  readonly isUseful?: IsUseful;
}

function createSearch(collector: Collector, part: CustomPart | undefined): Search {
  const { tester, collected, zone, configs } = collector;
  const { program, rulesets } = zone.custom ?? {};
  const steps = rulesets === undefined ? [] : createProgram(rulesets).steps;
  const initial = [...collected];
  const found = { rule: createLists<unknown, Collected>(), leaf: createLists<Test, Collected>() };
  const bases = new Map<Test, { readonly at: number; readonly list: readonly GeneratedCandidate[] }>();
  const nearby = createNearRequests(tester, program ?? createPlainProgram());

  /** The requests that may notice a mutant. */
  function candidatesFor(mutant: Mutant): readonly Collected[] {
    const { change } = mutant;
    if (change.part !== "custom rule" || change.edit !== "replace") return initial;
    if (change.leaf !== undefined) return [...initial, ...found.leaf.of(change.leaf.before)];
    if (change.tree === undefined) return initial;
    const affected = operandsOf(mutant).flatMap(leavesOf);
    return [...initial, ...new Set(affected.flatMap((leaf) => found.leaf.of(leaf).slice(0, maxOfLeaf)))];
  }

  /** The operands that a mutant combines in another way. */
  function operandsOf({ change }: Mutant): readonly Expression[] {
    if (change.part !== "custom rule" || change.edit !== "replace" || change.tree === undefined) return [];
    const before = steps.find(({ rule }) => rule === change.rule)?.expression?.tree;
    return before === undefined ? [] : changedOperands(before, change.tree);
  }

  function note(mutant: Mutant, by: Collected): Result {
    const { change } = mutant;
    by.reasons.add(mutant);
    if (change.part === "custom rule" && change.edit === "replace") {
      found.rule.add(change.rule, by);
      if (change.leaf !== undefined) found.leaf.add(change.leaf.before, by);
    }
    return { kind: "found", candidate: by };
  }

  /** Requests for which the value of an expression depends on one of its leaves. */
  function basesOf({ leaf, tree }: LeafChange, rule: CustomRule | undefined): readonly GeneratedCandidate[] {
    const own = found.rule.of(rule);
    const known = bases.get(leaf);
    if (known !== undefined && (known.list.length > 0 || known.at === own.length)) return known.list;
    const tried = [...initial, ...own.slice(-maxTried)].map(({ candidate }) => candidate);
    const list: GeneratedCandidate[] = [];
    for (const candidate of tried) {
      if (tester.isDecisive(leaf, tree, candidate)) list.push(candidate);
      if (list.length === maxBases) break;
    }
    for (const candidate of list.length === 0 ? tried.slice(0, maxBases) : []) {
      const decisive = nearby.decisive(candidate, tree, leaf);
      if (decisive !== undefined) list.push(decisive);
    }
    bases.set(leaf, { at: own.length, list });
    return list;
  }

  function changesOf({ change }: Mutant): readonly LeafChange[] {
    if (change.part === "list")
      return steps.flatMap(({ expression }) => {
        const tree = expression?.tree;
        if (tree === undefined) return [];
        const leaves = leavesOf(tree).filter((leaf) => listsOf(leaf).includes(change.name));
        return leaves.map((leaf) => ({ leaf, tree, near: [leaf] }));
      });
    if (change.part !== "custom rule" || change.edit !== "replace" || change.leaf === undefined) return [];
    const { before } = change.leaf;
    const tree = steps.find(({ rule }) => rule === change.rule)?.expression?.tree;
    if (tree === undefined) return [];
    const isUseful = program && distinguishes(program, change.leaf);
    return [{ leaf: before, tree, near: differing(change.leaf), ...(isUseful && { isUseful }) }];
  }

  function near(mutant: Mutant): Result | undefined {
    const { change } = mutant;
    const lists = change.part === "list" ? new Map([[change.name, change.differing]]) : undefined;
    if (change.part === "custom rule" && change.edit === "replace" && change.leaf === undefined)
      return nearBoth(mutant);
    const rule = change.part === "custom rule" && change.edit === "replace" ? change.rule : undefined;
    for (const leafChange of changesOf(mutant))
      for (const base of basesOf(leafChange, rule))
        for (const candidate of nearby.around(base, leafChange.near, leafChange.isUseful, lists)) {
          if (!tester.isNoticed(mutant, candidate)) continue;
          const added = addCandidate(collector, candidate, []);
          if (added !== undefined) return note(mutant, added);
        }
    return undefined;
  }

  /** A request for which several operands that are combined in another way are true. */
  function nearBoth(mutant: Mutant): Result | undefined {
    const operands = operandsOf(mutant);
    if (operands.length !== 2) return undefined;
    for (const { candidate } of initial.slice(0, maxBases)) {
      const both = nearby.satisfy(candidate, operands);
      const added = both && tester.isNoticed(mutant, both) ? addCandidate(collector, both, []) : undefined;
      if (added !== undefined) return note(mutant, added);
    }
    return undefined;
  }

  return {
    known: (mutant) => {
      let first: Result | undefined;
      let noticing = 0;
      for (const collectedRequest of candidatesFor(mutant)) {
        if (noticing === maxNoticing) break;
        if (!tester.isNoticed(mutant, collectedRequest.candidate)) continue;
        noticing++;
        collectedRequest.reasons.add(mutant);
        first ??= { kind: "found", candidate: collectedRequest };
      }
      return first;
    },
    near,
    asked: (mutant, ask) => {
      const stated = (request: ValidRequest) => (part === undefined ? request : atAnyTime(part, request));
      const answer = ask(mutant, (request) => {
        if (!isTimeless(request)) return false;
        const candidate = tester.start(stated(request));
        return candidate !== undefined && tester.isNoticed(mutant, candidate);
      });
      if (answer.kind === "none") return { kind: "equivalent" };
      if (answer.kind === "undecided") return undefined;
      const added = add(collector, stated(answer.request), []);
      return added && note(mutant, added);
    },
    distinguished: (mutant, options) => {
      const leaf = changedLeaf(mutant);
      const [change] = changesOf(mutant);
      if (leaf === undefined || change === undefined || mutant.change.part !== "custom rule")
        return undefined;
      let found: GeneratedCandidate | undefined;
      const answer = distinguishLeaf(
        collector,
        leaf,
        (request) => {
          const candidate = tester.start(request);
          const isOther =
            candidate !== undefined &&
            tester.truthOf(leaf.before, candidate) !== tester.truthOf(leaf.after, candidate);
          if (isOther) found = candidate;
          return isOther;
        },
        options,
      );
      if (answer.kind === "none") return { kind: "equivalent" };
      if (found === undefined) return undefined;
      const rule = "rule" in mutant.change ? mutant.change.rule : undefined;
      for (const base of basesOf(change, rule))
        for (const candidate of nearby.withValuesOf(base, found, change.near)) {
          if (!tester.isNoticed(mutant, candidate)) continue;
          const added = addCandidate(collector, candidate, []);
          if (added !== undefined) return note(mutant, added);
        }
      return undefined;
    },
    compared: (mutant, options) => {
      const compared = compareWithMutant(zone, mutant, options);
      if (compared.result === "equivalent") return { kind: "equivalent" };
      if (compared.result === "undecided") return { kind: "undecided", reason: compared.reason };
      for (const difference of compared.differences) {
        const request = toSuiteTokens(difference, configs);
        if (request === undefined) continue;
        const isTimed = !isTimeless(request);
        const candidate = tester.start(part === undefined || isTimed ? request : atAnyTime(part, request));
        if (
          candidate === undefined ||
          (isTimed ? !options.acceptsTimes : !tester.isNoticed(mutant, candidate))
        )
          continue;
        const added = addCandidate(collector, candidate, []);
        if (added !== undefined) return note(mutant, added);
      }
      return { kind: "undecided", reason: unusableTokens };
    },
  };
}

/** The number of requests of each leaf that are tried for another combination of leaves. */
const maxOfLeaf = 8;

/** The operands that a change combines in another way: all of a combination with another operator. */
function changedOperands(before: Expression, after: Expression): readonly Expression[] {
  if (before === after) return [];
  if (before.kind === "not" && after.kind === "not") return changedOperands(before.operand, after.operand);
  if (before.kind !== "combination" || after.kind !== "combination" || before.operator !== after.operator)
    return before.kind === "combination" ? before.operands : [before];
  const changed = before.operands.filter((operand) => !after.operands.includes(operand));
  const [only, ...others] = changed;
  const other = after.operands.find((operand) => !before.operands.includes(operand));
  const isWithin =
    only !== undefined && others.length === 0 && before.operands.length === after.operands.length;
  return isWithin && other !== undefined ? changedOperands(only, other) : changed;
}

/** The leaves before and after a change; of two sets of the same value only the elements that one of them has. */
function differing({ before, after }: ChangedLeaf): readonly Test[] {
  const leaves = [before, ...leavesOf(after)];
  if (before.kind !== "comparison" || after.kind !== "comparison") return leaves;
  const [own, others] = [before.right, after.right];
  if (own.kind !== "set" || others.kind !== "set" || before.left !== after.left) return leaves;
  const items = [...own.items, ...others.items].filter(
    (item) => !own.items.includes(item) || !others.items.includes(item),
  );
  return [{ ...before, right: { ...own, items } }];
}

/** Whether a value distinguishes two comparisons of it; undefined when they are of different values, or of functions. */
function distinguishes(program: Program, { before, after }: ChangedLeaf): IsUseful | undefined {
  if (before.kind !== "comparison" || after.kind !== "comparison" || before.left !== after.left)
    return undefined;
  if (before.left.kind === "call" || before.isArray) return undefined;
  const [left, other] = [compileRight(program, before), compileRight(program, after)];
  if (typeof left !== "function" || typeof other !== "function") return undefined;
  return ({ of, wanted }) => {
    const value = statedValue(of, wanted);
    return of !== before.left || left(value) !== other(value);
  };
}

/** Lists by key. */
function createLists<Key, Value>() {
  const lists = new Map<Key, Value[]>();
  return {
    of: (key: Key): readonly Value[] => lists.get(key) ?? [],
    add: (key: Key, value: Value) => addTo(lists, key, value),
  };
}
