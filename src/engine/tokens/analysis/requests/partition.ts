/** Takes all requests apart by the operations that they match in two zones. */

import { leaves } from "../../expression/references.ts";
import { type Segment, variable } from "../../zone/path-template.ts";
import { createRouter, findRoute, type Router } from "../../zone/router.ts";
import type { ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { covers } from "../findings/rule-coverage.ts";
import { templateShape } from "../strings/template-dfa.ts";
import type { Frame } from "./variables.ts";

/** Requests that the same rules cover. */
export interface Part {
  /** The rules that cover them in the two zones, in order. */
  readonly left: readonly ReadRule[];
  readonly right: readonly ReadRule[];
  /** What these requests have in common. */
  readonly frame: Frame;
  /** The same for parts that only their rules tell apart; absent when the paths of this one matter. */
  readonly group?: string;
}

type Routers = readonly [Router<ReadOperation> | undefined, Router<ReadOperation> | undefined];
type Zones = readonly [ReadZone, ReadZone];

/** All parts in which some rule acts. */
export function* partsOf(left: ReadZone, right: ReadZone): Generator<Part> {
  const zones = [left, right] as const;
  const routers = [routerOf(left), routerOf(right)] as const;
  for (const host of hostsOf(zones)) {
    const methods = methodsOn(zones, host);
    for (const method of methods) yield* partsOfMethod(zones, routers, host, method);
    if (left.operations === undefined || right.operations === undefined) yield anyOther(zones, host, methods);
  }
}

function routerOf({ operations }: ReadZone): Router<ReadOperation> | undefined {
  return operations && createRouter(operations.map((operation) => ({ ...operation, value: operation })));
}

function hostsOf(zones: Zones): ReadonlySet<string> {
  return new Set(zones.flatMap(({ rules }) => rules.flatMap(({ hosts }) => hosts)));
}

function methodsOn(zones: Zones, host: string): string[] {
  const all = zones.flatMap(({ operations = [] }) =>
    operations.filter((operation) => operation.host === host),
  );
  return [...new Set(all.map(({ method }) => method))];
}

/** Requests with a method that no operation has: they are operations where a zone lists none. */
function anyOther(zones: Zones, host: string, except: readonly string[]): Part {
  const [left, right] = zones.map((zone) => (zone.operations ? [] : covering(zone, host, undefined)));
  return {
    left: left!,
    right: right!,
    frame: { "http.host": { texts: [host] }, "http.request.method": { except } },
  };
}

/** The rules of a zone that cover an operation of a host; any operation when no id is given. */
function covering({ rules }: ReadZone, host: string, operationId: string | undefined): ReadRule[] {
  return rules.filter((rule) => covers(rule, { host, ...(operationId !== undefined && { operationId }) }));
}

/** The templates of two operations that one path can match both, or of one of them. */
interface Pair {
  readonly template: readonly Segment[];
  readonly operations: readonly [ReadOperation | undefined, ReadOperation | undefined];
}

function* partsOfMethod(zones: Zones, routers: Routers, host: string, method: string): Generator<Part> {
  const value = unusedSegment(zones);
  const pathRules = new Set(zones.flatMap(({ rules }) => rules.filter(comparesPath)));
  for (const pair of pairsOf(zones, host, method)) {
    const sample = samplePath(pair.template, value);
    if (!isRouted(sample, pair, routers, host, method)) continue;
    const [left, right] = zones.map((zone, i) => rulesOf(zone, pair.operations[i], host)) as [
      ReadRule[],
      ReadRule[],
    ];
    if (left.length + right.length === 0) continue;
    const known: Frame = { "http.host": { texts: [host] }, "http.request.method": { texts: [method] } };
    if (left.some((rule) => pathRules.has(rule)) || right.some((rule) => pathRules.has(rule))) {
      const isReal = (path: string) => isRouted(path, pair, routers, host, method);
      const paths = { required: [templateShape(pair.template)], usual: [sample], isReal };
      yield { left, right, frame: { ...known, "http.request.uri.path": paths } };
    } else {
      const pathless = { ...known, "http.request.uri.path": { texts: [sample] } };
      yield { left, right, frame: pathless, group: JSON.stringify([host, method]) };
    }
  }
  if (zones.some(({ operations }) => operations === undefined)) yield unrouted(zones, routers, host, method);
}

function rulesOf(zone: ReadZone, operation: ReadOperation | undefined, host: string): ReadRule[] {
  if (zone.operations === undefined) return covering(zone, host, undefined);
  return operation ? covering(zone, host, operation.operation.operation_id) : [];
}

/**
 * Each operation alone, and each two that overlap. Of operations that match the same path one always wins, whatever
 * the path's variables are, so one path shows whether a pair is ever matched.
 */
function* pairsOf(zones: Zones, host: string, method: string): Generator<Pair> {
  const [left, right] = zones.map(({ operations = [] }) =>
    operations.filter((operation) => operation.host === host && operation.method === method),
  ) as [ReadOperation[], ReadOperation[]];
  for (const operation of left) yield { template: operation.segments, operations: [operation, undefined] };
  for (const operation of right) yield { template: operation.segments, operations: [undefined, operation] };
  for (const one of left) {
    for (const other of right) {
      const template = overlap(one.segments, other.segments);
      if (template !== undefined) yield { template, operations: [one, other] };
    }
  }
}

/** What both templates match, as a template. */
function overlap(left: readonly Segment[], right: readonly Segment[]): Segment[] | undefined {
  if (left.length !== right.length) return undefined;
  const both: Segment[] = [];
  for (const [i, segment] of left.entries()) {
    const other = right[i]!;
    if (segment !== variable && other !== variable && segment !== other) return undefined;
    // A variable matches no empty segment.
    if ((segment === "" && other === variable) || (segment === variable && other === "")) return undefined;
    both.push(segment === variable ? other : segment);
  }
  return both;
}

/** A path of a template. */
function samplePath(template: readonly Segment[], value: string): string {
  return template.map((segment) => `/${segment === variable ? value : segment}`).join("");
}

/** A segment that no template has. */
function unusedSegment(zones: Zones): string {
  const taken = new Set(
    zones.flatMap(({ operations = [] }) => operations.flatMap(({ segments }) => segments)),
  );
  let value = "x";
  while (taken.has(value)) value += "x";
  return value;
}

function isRouted(
  path: string,
  { operations }: Pair,
  routers: Routers,
  host: string,
  method: string,
): boolean {
  return operations.every((operation, i) => {
    const router = routers[i];
    return (router && findRoute(router, host, method, path)) === operation;
  });
}

/** Paths matter only where some expression compares them. */
function comparesPath({ expression }: ReadRule): boolean {
  return leaves(expression).some(
    (leaf) => leaf.kind === "comparison" && leaf.field.name === "http.request.uri.path",
  );
}

/** Requests of a method that match no listed operation, where one zone lists none at all. */
function unrouted(zones: Zones, routers: Routers, host: string, method: string): Part {
  const [left, right] = zones.map((zone) => (zone.operations ? [] : covering(zone, host, undefined)));
  const none: Pair = { template: [], operations: [undefined, undefined] };
  const isReal = (path: string) => isRouted(path, none, routers, host, method);
  const usual = [samplePath(["no-such-path", variable], unusedSegment(zones)), "/"].filter(isReal);
  return {
    left: left!,
    right: right!,
    frame: {
      "http.host": { texts: [host] },
      "http.request.method": { texts: [method] },
      "http.request.uri.path": { usual, isReal },
    },
  };
}
