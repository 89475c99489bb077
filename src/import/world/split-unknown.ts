/** Tells unknown values on which answers depend from those that only people read. */
import { counted, quote } from "../../errors.ts";
import type { Resource, ResourceKind, UnknownValue } from "../reading.ts";

/** Members without which a resource cannot be used. Other members have a default. */
const decisive: Readonly<Partial<Record<ResourceKind, readonly string[]>>> = {
  token_config: ["credentials", "token_sources"],
  token_rule: ["expression", "selector", "action", "enabled"],
  operation: ["method", "host", "endpoint"],
};

/** The unknown values of a resource. */
export interface UnknownParts {
  readonly decisive: readonly UnknownValue[];
  readonly others: readonly UnknownValue[];
}

/** Every unknown member of a kind without a list is decisive. */
export function splitUnknown({ kind, unknown = [] }: Resource): UnknownParts {
  const names = decisive[kind];
  const isDecisive = ({ pointer }: UnknownValue) => !names || names.includes(pointer.split("/")[1] ?? "");
  return { decisive: unknown.filter(isDecisive), others: unknown.filter((one) => !isDecisive(one)) };
}

/** Unknown values in a sentence without a full stop: their members, and what they are computed from. */
export function describeUnknown(unknown: readonly UnknownValue[]): string {
  const names = unknown.slice(0, 3).map(({ pointer }) => quote(pointer.slice(1).replaceAll("/", ".")));
  const references = [...new Set(unknown.flatMap((one) => one.references ?? []))].map(quote);
  const shown = references.slice(0, 3).join(", ");
  const more = references.length > 3 ? ` and ${counted(references.length - 3, "other value")}` : "";
  const from = references.length === 0 ? "" : `; computed from ${shown}${more}`;
  const rest = unknown.length > 3 ? ` and ${counted(unknown.length - 3, "other member")}` : "";
  const isSensitive = unknown.every((one) => one.isSensitive);
  return `${names.join(", ")}${rest} ${unknown.length === 1 ? "is" : "are"} ${isSensitive ? "marked as sensitive" : "not known"}${from}`;
}
