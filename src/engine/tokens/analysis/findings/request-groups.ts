/**
 * The requests of some operations as a few groups, each with restrictions of host, method and path that are
 * independent of each other. Only the parts of a request that the expressions compare matter.
 */

import { groupBy } from "../../../../core/groups.ts";
import type { FieldName } from "../../expression/field.ts";
import { isTokenTest } from "../../expression/language/functions.ts";
import type { Expression } from "../../expression/tree.ts";
import { valuesOf } from "../../expression/tree-queries.ts";
import { findRoute, type Router, routePattern } from "../../zone/router.ts";
import type { ReadOperation, ReadZone } from "../../zone/zone-input.ts";
import type { Restriction } from "../requests/alternatives.ts";
import type { HostClass } from "../requests/host-classes.ts";
import { withNormalizedPaths } from "../requests/normalized-paths.ts";
import { intersection, readsTargetPath, routerOf, samplePath, unusedSegment } from "../requests/partition.ts";
import type { Assumptions } from "../requests/variables.ts";
import type { Dfa } from "../strings/dfa.ts";
import { type RoutedTemplate, routedPathsDfa } from "../strings/template-dfa.ts";
import type { CoveredOperation } from "./rule-coverage.ts";

/** Creates the groups of operations of a zone. */
export interface RequestGroups {
  /** The restrictions of all requests to the zone. */
  readonly all: Assumptions;
  /**
   * The restrictions of each group, as far as the expressions compare them.
   *
   * @param withPaths whether paths are restricted: exact, and more steps. Otherwise the groups have more requests.
   */
  of(
    covered: readonly CoveredOperation[],
    expressions: readonly Expression[],
    withPaths: boolean,
  ): Assumptions[];
}

/** Creates the groups of a zone; which of its operations take precedence on a path is found out once. */
export function createRequestGroups(zone: ReadZone): RequestGroups {
  const precedingOf = createPrecedence(zone);
  const pathsDfa = createPathsDfas();
  return {
    all: withNormalizedPaths({}, zone.normalization),
    of: (covered, expressions, withPaths) => {
      const fields = comparedFields(expressions);
      if (!withPaths) fields.delete("http.request.uri.path");
      const pathsOf = (group: readonly CoveredOperation[]) =>
        pathsDfa(routedTemplates(group, covered, precedingOf));
      return groupOperations(covered, fields).map((group) =>
        withNormalizedPaths(assumptionsOf(group, fields, pathsOf), zone.normalization),
      );
    },
  };
}

/** The fields of a request's target that expressions read. */
function comparedFields(expressions: readonly Expression[]): Set<FieldName> {
  const names = expressions.flatMap(valuesOf).flatMap((value) => (value.kind === "field" ? value.name : []));
  return new Set([
    ...(expressions.some(readsTargetPath) ? (["http.request.uri.path"] as const) : []),
    ...(names.some((name) => /^(?:raw\.)?http\.(?:host|request\.full_uri)$/.test(name))
      ? (["http.host"] as const)
      : []),
    ...(names.includes("http.request.method") ? (["http.request.method"] as const) : []),
  ]);
}

/** Whether an expression tests a token: its variables then need steps, because all strings of a token's source are searched. */
export function testsToken(expression: Expression): boolean {
  return valuesOf(expression).some((value) => value.kind === "call" && isTokenTest(value.name));
}

/** A group for each host and method, as far as they are compared; groups that differ only in the host become one. */
function groupOperations(
  covered: readonly CoveredOperation[],
  fields: ReadonlySet<FieldName>,
): CoveredOperation[][] {
  const byHostAndMethod = groupBy(covered, ({ hosts, operation }) => {
    const host = fields.has("http.host") ? hosts.key : "";
    return JSON.stringify([host, fields.has("http.request.method") ? operation?.method : ""]);
  });
  const merged = groupBy(byHostAndMethod.values(), (group) => {
    const [first] = group;
    const classOfMany = group.every(({ hosts }) => hosts.host !== undefined) ? "" : first?.hosts.key;
    const requests = group.map(
      ({ operation }) => operation && [operation.method, routePattern(operation.segments)],
    );
    return JSON.stringify([classOfMany, requests]);
  });
  return Array.from(merged.values(), (groups) => groups.flat());
}

function assumptionsOf(
  group: readonly CoveredOperation[],
  fields: ReadonlySet<FieldName>,
  pathsOf: (group: readonly CoveredOperation[]) => Dfa | undefined,
): Assumptions {
  const methods = new Set(group.flatMap(({ operation }) => operation?.method ?? []));
  const paths = fields.has("http.request.uri.path") ? pathsOf(group) : undefined;
  return {
    ...(fields.has("http.host") && { "http.host": hostsOf(group) }),
    ...(methods.size > 0 && { "http.request.method": { values: [...methods] } }),
    ...(paths && { "http.request.uri.path": { requiredDfas: [paths] } }),
  };
}

function hostsOf(group: readonly CoveredOperation[]): Restriction {
  const many = group.find(({ hosts }) => hosts.host === undefined);
  if (many !== undefined) return many.hosts.restriction;
  return { values: [...new Set(group.map(({ hosts }) => hosts.sample))] };
}

/** The operations that take precedence over an operation on some of its paths. */
type PrecedingOf = (operation: CoveredOperation) => readonly ReadOperation[];

/** The templates of a group's operations by a key, each without the paths on which an operation that is not covered wins. */
function routedTemplates(
  group: readonly CoveredOperation[],
  covered: readonly CoveredOperation[],
  precedingOf: PrecedingOf,
): ReadonlyMap<string, RoutedTemplate> {
  const coveredOn = new Map<HostClass, Set<ReadOperation | undefined>>();
  for (const { hosts, operation } of covered) {
    const operations = coveredOn.get(hosts) ?? new Set<ReadOperation | undefined>();
    coveredOn.set(hosts, operations.add(operation));
  }
  const templates = group.flatMap((member): RoutedTemplate[] => {
    const { hosts, operation } = member;
    if (operation === undefined) return [];
    const others = precedingOf(member).filter((other) => coveredOn.get(hosts)?.has(other) !== true);
    return [{ segments: operation.segments, preceding: others.map(({ segments }) => segments) }];
  });
  const keyOf = ({ segments, preceding }: RoutedTemplate) =>
    [segments, ...preceding].map(routePattern).join(" ");
  return new Map(templates.map((template) => [keyOf(template), template]));
}

/** Creates the function from templates to the DFA of their paths: rules share those of operations that they share. */
function createPathsDfas(): (templates: ReadonlyMap<string, RoutedTemplate>) => Dfa | undefined {
  const known = new Map<string, Dfa>();
  return (templates) => {
    if (templates.size === 0) return undefined;
    const key = [...templates.keys()].join("\n");
    const dfa = known.get(key) ?? routedPathsDfa([...templates.values()]);
    known.set(key, dfa);
    return dfa;
  };
}

/** Creates the function that finds the operations that take precedence over another one; it remembers its results. */
function createPrecedence(zone: ReadZone): PrecedingOf {
  const router = routerOf(zone);
  const segment = unusedSegment([zone]);
  const known = new Map<CoveredOperation, readonly ReadOperation[]>();
  return (operation) => {
    const preceding = known.get(operation) ?? precedingOperations(zone, operation, router, segment);
    known.set(operation, preceding);
    return preceding;
  };
}

function precedingOperations(
  { operations = [] }: ReadZone,
  { hosts, operation }: CoveredOperation,
  router: Router<ReadOperation> | undefined,
  unused: string,
): ReadOperation[] {
  if (operation === undefined || router === undefined) return [];
  const { method, segments } = operation;
  return operations.filter((other) => {
    if (other === operation || other.method !== method || !hosts.matching.has(other.host)) return false;
    const both = intersection(segments, other.segments);
    if (both === undefined) return false;
    return findRoute(router, hosts.sample, method, samplePath(both, unused)) !== operation;
  });
}
