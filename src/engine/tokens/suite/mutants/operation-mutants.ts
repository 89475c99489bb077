/** Changes of one operation: removed, with another method, and with another path template. */

import { quote } from "../../../../errors.ts";
import { type Segment, variable } from "../../zone/path-template.ts";
import { routePattern } from "../../zone/router.ts";
import type { ReadOperation } from "../../zone/zone-input.ts";
import type { DescribedChange } from "./change.ts";

/** An operation, or none. */
type OperationChange = ReadOperation | undefined;

/** A zone whose operations are changed. */
export interface OperationContext {
  /** The methods of the zone's operations. */
  readonly methods: readonly string[];
  /** Whether no other operation matches the same requests. */
  isFree(operation: ReadOperation): boolean;
}

/** Changes of an operation. */
export type OperationChanges = (
  operation: ReadOperation,
  context: OperationContext,
) => readonly DescribedChange<OperationChange>[];

/** The operation is removed. */
export const removedOperation: OperationChanges = () => [
  { change: undefined, at: "", description: "the operation is removed" },
];

/** Each other method of the zone's operations. */
export const otherMethods: OperationChanges = (read, { methods, isFree }) =>
  methods
    .filter((method) => method !== read.method)
    .map((method) => ({ ...read, method, operation: { ...read.operation, method } }))
    .filter(isFree)
    .map((changed) => ({
      change: changed,
      at: "/method",
      description: `the method ${quote(read.method)} becomes ${quote(changed.method)}`,
    }));

/** Each literal segment a variable, each variable a literal, one segment more, and one less. */
export const otherTemplates: OperationChanges = (read, { isFree }) => {
  const { segments } = read;
  const lists: readonly (readonly Segment[])[] = [
    ...segments.map((segment, i) => segments.with(i, segment === variable ? "x" : variable)),
    [...segments, variable],
    ...(segments.length > 1 ? [segments.slice(0, -1)] : []),
  ];
  return lists
    .filter((list) => list.some((segment) => segment !== ""))
    .map((list) => ({
      ...read,
      segments: list,
      operation: { ...read.operation, endpoint: printTemplate(list) },
    }))
    .filter(isFree)
    .map((changed) => ({
      change: changed,
      at: "/endpoint",
      description: `the endpoint becomes ${quote(changed.operation.endpoint)}`,
    }));
};

function printTemplate(segments: readonly Segment[]): string {
  return segments.map((segment, i) => `/${segment === variable ? `{var${i + 1}}` : segment}`).join("");
}

/** Equal for operations that match the same requests. */
export function routeKey({ host, method, segments }: ReadOperation): string {
  return JSON.stringify([host, method, routePattern(segments)]);
}
