/**
 * Partitions all hosts by the rules and operations that can apply to their requests. Each host that a rule includes is a
 * class of its own; templates of hosts, which can overlap, have a class for each combination of templates that
 * some host matches.
 */

import { unique } from "../../../../core/lists.ts";
import { intersectHosts, isHostTemplate, matchesHost } from "../../zone/host-template.ts";
import { readTarget } from "../../zone/target.ts";
import type { ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { type Meter, spend } from "../budget.ts";
import { complementDfa } from "../strings/dfa.ts";
import { hostTemplateDfa } from "../strings/host-template-dfa.ts";
import type { Restriction } from "./alternatives.ts";

/** Hosts whose requests the same operations and rules match. */
export interface HostClass {
  /** Equal for equal classes. */
  readonly key: string;
  /** The only host of the class; absent when there are several. */
  readonly host?: string;
  /** One of the hosts. */
  readonly sample: string;
  /** The hosts of operations, in normal form, that match all of the hosts. */
  readonly matching: ReadonlySet<string>;
  /** The restriction of `http.host` to these hosts. */
  readonly restriction: Restriction;
}

/** The classes of all hosts that some rule can apply to, in the given zones. */
export function hostClasses(zones: readonly ReadZone[], meter: Meter): HostClass[] {
  const included = unique(zones.flatMap(({ rules }) => rules.flatMap(({ hosts }) => hosts)));
  const operated = unique(zones.flatMap(({ operations = [] }) => operations.map(({ host }) => host)));
  const templates = operated.filter(isHostTemplate);
  const intersections = closeIntersections(templates, meter);
  const single = unique([
    ...included.filter((host) => !isHostTemplate(host)),
    ...operated.filter(
      (host) => !isHostTemplate(host) && templates.some((template) => matchesHost(template, host)),
    ),
    ...intersections.filter((host) => !isHostTemplate(host)),
  ]);
  spend(meter, single.length * templates.length);
  return [
    ...single.map((host) => singleClass(host, templates)),
    ...intersections
      .filter(isHostTemplate)
      .map((intersection) => templateClass(intersection, templates, single)),
  ];
}

/** The restriction to the hosts of no class; the domains of the zones come first. */
export function otherHosts(classes: readonly HostClass[], zones: readonly ReadZone[]): Restriction {
  const excluded = classes.flatMap(({ host }) => host ?? []);
  const templates = classes.flatMap(({ key, host }) => (host === undefined ? [key] : []));
  const isOther = (host: string) =>
    !excluded.includes(host) && !templates.some((template) => matchesHost(template, host));
  return {
    excluded,
    requiredDfas: templates.map((template) => complementDfa(hostTemplateDfa(template))),
    preferred: domainsOf(zones).filter(isOther),
  };
}

/** The domains of zones, as hosts of requests. */
export function domainsOf(zones: readonly ReadZone[]): readonly string[] {
  const names = zones.flatMap(({ custom }) => custom?.program.zone?.["cf.zone.name"] ?? []);
  return unique(names).filter(isPossibleHost);
}

/** Whether a rule, enabled or not, covers an operation for requests to a class; any operation when none is given. */
export function coversOperation(
  { hosts, excluded }: ReadRule,
  { host }: HostClass,
  operation: ReadOperation | undefined,
): boolean {
  const isIncluded =
    (host !== undefined && hosts.includes(host)) ||
    (operation !== undefined && hosts.includes(operation.host));
  return isIncluded && (operation === undefined || !excluded.includes(operation.operation.operation_id));
}

/** The templates and all of their intersections; those without variables are hosts. */
function closeIntersections(templates: readonly string[], meter: Meter): string[] {
  const closed = new Set(templates);
  for (const known of closed) {
    spend(meter, templates.length);
    for (const template of templates) {
      const both = intersectHosts(known, template);
      if (both !== undefined) closed.add(both);
    }
  }
  return [...closed];
}

function singleClass(host: string, templates: readonly string[]): HostClass {
  const matching = new Set([host, ...templates.filter((template) => matchesHost(template, host))]);
  return { key: host, host, sample: host, matching, restriction: { values: [host] } };
}

/** The hosts that an intersection matches and no smaller class has. */
function templateClass(own: string, templates: readonly string[], single: readonly string[]): HostClass {
  const overlapping = templates.flatMap((template) => intersectHosts(own, template) ?? []);
  const smaller = unique(overlapping.filter((template) => template !== own && isHostTemplate(template)));
  const excluded = single.filter((host) => matchesHost(own, host));
  const sample = sampleHost(own, [...smaller, ...excluded]);
  const restriction = {
    requiredDfas: [
      hostTemplateDfa(own),
      ...smaller.map((template) => complementDfa(hostTemplateDfa(template))),
    ],
    excluded,
    preferred: isPossibleHost(sample) ? [sample] : [],
  };
  const matching = templates.filter((template) => intersectHosts(own, template) === own);
  return { key: own, sample, matching: new Set(matching), restriction };
}

/** Labels for variables: one that no other host of the zones has, a number where only an IPv4 address is possible. */
function sampleHost(template: string, others: readonly string[]): string {
  const fill = (label: string) => template.replaceAll(/(?<=^|\.)\{\}(?=$|\.)/g, label);
  const isOther = (host: string) => others.some((other) => matchesHost(other, host));
  let label = "x";
  while (isOther(fill(label))) label += "x";
  if (isPossibleHost(fill(label))) return fill(label);
  const numbers = Array.from({ length: 256 }, (_, number) => fill(String(number)));
  return numbers.find((host) => isPossibleHost(host) && !isOther(host)) ?? fill(label);
}

function isPossibleHost(host: string): boolean {
  return readTarget(`https://${host}/`)?.host === host;
}
