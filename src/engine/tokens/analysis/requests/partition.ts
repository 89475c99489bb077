/** Partitions all requests by the operations that they match in two zones. */

import type { Expression } from "../../expression/tree.ts";
import { valuesOf } from "../../expression/tree-queries.ts";
import { type Segment, variable } from "../../zone/path-template.ts";
import { createRouter, findRoute, type Router } from "../../zone/router.ts";
import { isNormalizedPath, type PathNormalization } from "../../zone/url-normalization.ts";
import type { ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import type { Meter } from "../budget.ts";
import { mapPair, type Pair } from "../pair.ts";
import { templateDfa } from "../strings/template-dfa.ts";
import { coversOperation, type HostClass, hostClasses, otherHosts } from "./host-classes.ts";
import { commonNormalization, withNormalizedPaths } from "./normalized-paths.ts";
import { indexTemplates } from "./overlapping-templates.ts";
import type { Assumptions } from "./variables.ts";

/** Requests that the same rules cover. */
export interface RequestClass {
  /** The operations that the requests match in the two zones. */
  readonly operations: Pair<ReadOperation | undefined>;
  /** The rules of the two zones that cover the requests, in order. */
  readonly rules: Pair<readonly ReadRule[]>;
  /** The class of their hosts. */
  readonly hosts: HostClass;
  /** The restrictions that all these requests meet. */
  readonly assumptions: Assumptions;
  /** Equal for classes that differ only in their rules; absent when the paths of this class matter. */
  readonly equivalenceKey?: string;
}

type Routers = Pair<Router<ReadOperation> | undefined>;
type Zones = Pair<ReadZone>;

/** Which classes are wanted. */
export interface PartitionOptions {
  /** Also those in which no token rule acts. */
  readonly everywhere?: boolean;
  /** Whether paths matter in every class, not only to token rules that compare them. */
  readonly readsPath?: boolean;
}

/** All classes in which some rule acts. The meter limits the combinations of templates of hosts. */
export function partitionRequests(
  zones: Zones,
  meter: Meter,
  options: PartitionOptions = {},
): Generator<RequestClass> {
  return withPaths(partitionHosts(zones, hostClasses(zones, meter), options), commonNormalization(zones));
}

function* withPaths(
  classes: Iterable<RequestClass>,
  normalization: PathNormalization,
): Generator<RequestClass> {
  for (const requestClass of classes)
    yield { ...requestClass, assumptions: withNormalizedPaths(requestClass.assumptions, normalization) };
}

function* partitionHosts(
  zones: Zones,
  classes: readonly HostClass[],
  options: PartitionOptions,
): Generator<RequestClass> {
  const { everywhere = false } = options;
  const routers = mapPair(zones, routerOf);
  if (everywhere) yield otherHostsClass(classes, zones);
  for (const hosts of classes) {
    const methods = methodsOn(zones, hosts);
    for (const method of methods) yield* partitionMethod(zones, routers, hosts, method, options);
    if (everywhere || zones.some(({ operations }) => operations === undefined))
      yield otherMethods(zones, hosts, methods);
  }
}

/** Requests to hosts of no rule and no template. */
function otherHostsClass(classes: readonly HostClass[], zones: Zones): RequestClass {
  const restriction = otherHosts(classes, zones);
  const hosts = { key: "", sample: "", matching: new Set<string>(), restriction };
  return {
    operations: [undefined, undefined],
    rules: [[], []],
    hosts,
    assumptions: { "http.host": restriction },
  };
}

/** The router of a zone's operations; undefined when it lists none. */
export function routerOf({ operations }: ReadZone): Router<ReadOperation> | undefined {
  return operations && createRouter(operations.map((operation) => ({ ...operation, value: operation })));
}

function methodsOn(zones: Zones, hosts: HostClass): string[] {
  const all = zones.flatMap(({ operations = [] }) =>
    operations.filter((operation) => hosts.matching.has(operation.host)),
  );
  return [...new Set(all.map(({ method }) => method))];
}

/** Requests with a method of no operation: every request is an operation where a zone lists no operations. */
function otherMethods(zones: Zones, hosts: HostClass, excluded: readonly string[]): RequestClass {
  return {
    operations: [undefined, undefined],
    rules: rulesWithoutOperations(zones, hosts),
    hosts,
    assumptions: { "http.host": hosts.restriction, "http.request.method": { excluded } },
  };
}

/** The rules that cover requests of no listed operation: none where a zone lists operations. */
function rulesWithoutOperations(zones: Zones, hosts: HostClass): Pair<ReadRule[]> {
  return mapPair(zones, (zone) => (zone.operations ? [] : coveringRules(zone, hosts, undefined)));
}

/** The rules of a zone that cover an operation for requests to a class of hosts. */
function coveringRules(
  { rules }: ReadZone,
  hosts: HostClass,
  operation: ReadOperation | undefined,
): ReadRule[] {
  return rules.filter((rule) => coversOperation(rule, hosts, operation));
}

/** The operations of the two zones that one path can match, and a template of these paths. */
interface OperationPair {
  readonly template: readonly Segment[];
  readonly operations: Pair<ReadOperation | undefined>;
}

function* partitionMethod(
  zones: Zones,
  routers: Routers,
  hosts: HostClass,
  method: string,
  { everywhere = false, readsPath = false }: PartitionOptions,
): Generator<RequestClass> {
  const value = unusedSegment(zones);
  const normalization = commonNormalization(zones);
  const pathRules = new Set(zones.flatMap(({ rules }) => rules.filter(comparesPath)));
  for (const pair of operationPairs(zones, hosts, method)) {
    const sample = samplePath(pair.template, value);
    // A template that has a path which is left as it is has its sample, too.
    if (!isNormalizedPath(sample, normalization) || !isRouted(sample, pair, routers, hosts, method)) continue;
    const rules = mapPair(zones, (zone, i) => rulesOfOperation(zone, pair.operations[i], hosts));
    if (rules.every(({ length }) => length === 0)) continue;
    const { operations } = pair;
    const assumptions = { "http.host": hosts.restriction, "http.request.method": { values: [method] } };
    if (readsPath || rules.flat().some((rule) => pathRules.has(rule))) {
      const isSendable = (path: string) => isRouted(path, pair, routers, hosts, method);
      const paths = { requiredDfas: [templateDfa(pair.template)], preferred: [sample], isSendable };
      yield { operations, rules, hosts, assumptions: { ...assumptions, "http.request.uri.path": paths } };
    } else {
      const paths = { values: [sample] };
      const equivalenceKey = JSON.stringify([hosts.key, method]);
      yield {
        operations,
        rules,
        hosts,
        assumptions: { ...assumptions, "http.request.uri.path": paths },
        equivalenceKey,
      };
    }
  }
  if (zones.some(({ operations }) => operations === undefined))
    yield unroutedRequests(zones, routers, hosts, method);
  if (everywhere) yield* uncoveredRequests(zones, routers, hosts, method);
}

/** Requests of a method for which no token rule acts. */
function* uncoveredRequests(
  zones: Zones,
  routers: Routers,
  hosts: HostClass,
  method: string,
): Generator<RequestClass> {
  const isPossible = zones.every(
    (zone) => zone.operations !== undefined || coveringRules(zone, hosts, undefined).length === 0,
  );
  if (!isPossible) return;
  const isSendable = (path: string) =>
    zones.every((zone, i) => {
      const router = routers[i];
      const operation = router && findRoute(router, hosts.sample, method, path);
      return rulesOfOperation(zone, operation, hosts).length === 0;
    });
  const samples = [samplePath(["no-such-path", variable], unusedSegment(zones)), "/"];
  const paths = { preferred: samples.filter(isSendable), isSendable };
  const assumptions = { "http.host": hosts.restriction, "http.request.method": { values: [method] } };
  yield {
    operations: [undefined, undefined],
    rules: [[], []],
    hosts,
    assumptions: { ...assumptions, "http.request.uri.path": paths },
  };
}

function rulesOfOperation(
  zone: ReadZone,
  operation: ReadOperation | undefined,
  hosts: HostClass,
): ReadRule[] {
  if (zone.operations === undefined) return coveringRules(zone, hosts, undefined);
  return operation ? coveringRules(zone, hosts, operation) : [];
}

/**
 * Each operation alone, and each pair that overlaps. Of operations that match the same path one always wins,
 * independently of the values of the path's variables, so one path shows whether a pair is ever matched.
 */
function* operationPairs(zones: Zones, hosts: HostClass, method: string): Generator<OperationPair> {
  const [left, right] = mapPair(zones, ({ operations = [] }) =>
    operations.filter((operation) => hosts.matching.has(operation.host) && operation.method === method),
  );
  for (const operation of left) yield { template: operation.segments, operations: [operation, undefined] };
  for (const operation of right) yield { template: operation.segments, operations: [undefined, operation] };
  const index = indexTemplates(right);
  for (const operation of left) {
    for (const other of index.overlapping(operation.segments)) {
      const template = intersection(operation.segments, other.segments);
      if (template !== undefined) yield { template, operations: [operation, other] };
    }
  }
}

/** The paths that both templates match, as a template. */
export function intersection(left: readonly Segment[], right: readonly Segment[]): Segment[] | undefined {
  if (left.length !== right.length) return undefined;
  const both: Segment[] = [];
  for (const [i, segment] of left.entries()) {
    const other = right[i] ?? segment;
    if (segment !== variable && other !== variable && segment !== other) return undefined;
    // A variable matches no empty segment.
    if ((segment === "" && other === variable) || (segment === variable && other === "")) return undefined;
    both.push(segment === variable ? other : segment);
  }
  return both;
}

/** A path that matches a template. */
export function samplePath(template: readonly Segment[], value: string): string {
  return template.map((segment) => `/${segment === variable ? value : segment}`).join("");
}

/** A segment that no template has. */
export function unusedSegment(zones: readonly ReadZone[]): string {
  const used = new Set(
    zones.flatMap(({ operations = [] }) => operations.flatMap(({ segments }) => segments)),
  );
  let value = "x";
  while (used.has(value)) value += "x";
  return value;
}

/** Whether the routers of both zones find exactly the operations of the pair. */
function isRouted(
  path: string,
  { operations }: OperationPair,
  routers: Routers,
  { sample }: HostClass,
  method: string,
): boolean {
  return operations.every((operation, i) => {
    const router = routers[i];
    return (router && findRoute(router, sample, method, path)) === operation;
  });
}

/** Paths matter only for rules whose expression compares them, or the whole URI. */
export function comparesPath({ expression }: ReadRule): boolean {
  return readsTargetPath(expression);
}

/** Whether an expression reads a value that depends on the path. */
export function readsTargetPath(expression: Expression): boolean {
  return valuesOf(expression).some((value) => value.kind === "field" && pathFields.test(value.name));
}

const pathFields = /\.(?:uri|full_uri)$|\.uri\.path/;

/** Requests of a method that match no listed operation, where one of the zones lists no operations. */
function unroutedRequests(zones: Zones, routers: Routers, hosts: HostClass, method: string): RequestClass {
  const unmatched: OperationPair = { template: [], operations: [undefined, undefined] };
  const isSendable = (path: string) => isRouted(path, unmatched, routers, hosts, method);
  const samples = [samplePath(["no-such-path", variable], unusedSegment(zones)), "/"];
  return {
    operations: unmatched.operations,
    rules: rulesWithoutOperations(zones, hosts),
    hosts,
    assumptions: {
      "http.host": hosts.restriction,
      "http.request.method": { values: [method] },
      "http.request.uri.path": { preferred: samples.filter(isSendable), isSendable },
    },
  };
}
