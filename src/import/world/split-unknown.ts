/** Tells unknown values on which answers depend from those that only people read. */
import { counted, quote } from "../../errors.ts";
import type { Resource as Table } from "../../schemas/member.ts";
import { type MemberKind, resources } from "../../schemas/resources.ts";
import type { UnknownValue } from "../reading.ts";

type Unknown = { readonly kind: MemberKind; readonly unknown?: readonly UnknownValue[] };

/** The unknown values of a resource. */
export interface UnknownParts {
  readonly decisive: readonly UnknownValue[];
  readonly others: readonly UnknownValue[];
}

/** Splits the unknown values of a resource by the table of its kind. */
export function splitUnknown({ kind, unknown = [] }: Unknown): UnknownParts {
  const members: Table["members"] = resources[kind].members;
  const isDecisive = ({ pointer }: UnknownValue) => members[pointer.split("/")[1] ?? ""]?.decisive;
  return { decisive: unknown.filter(isDecisive), others: unknown.filter((value) => !isDecisive(value)) };
}

/** Unknown values in a sentence without a full stop: their members, and what they are computed from. */
export function describeUnknown(unknown: readonly UnknownValue[]): string {
  const names = unknown.slice(0, 3).map(({ pointer }) => quote(pointer.slice(1).replaceAll("/", ".")));
  const references = [...new Set(unknown.flatMap((value) => value.references ?? []))].map(quote);
  const shown = references.slice(0, 3).join(", ");
  const more = references.length > 3 ? ` and ${counted(references.length - 3, "other value")}` : "";
  const from = references.length === 0 ? "" : `; computed from ${shown}${more}`;
  const rest = unknown.length > 3 ? ` and ${counted(unknown.length - 3, "other member")}` : "";
  const isSensitive = unknown.every(({ isSensitive }) => isSensitive);
  const isSecret = unknown.every(({ isSecret }) => isSecret);
  const state = isSecret
    ? "a secret, which no answer of the service has"
    : isSensitive
      ? "marked as sensitive"
      : "not known";
  return `${names.join(", ")}${rest} ${unknown.length === 1 ? "is" : "are"} ${state}${from}`;
}
