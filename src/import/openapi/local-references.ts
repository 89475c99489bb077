/**
 * Resolves references within the document (RFC 6901 in the fragment of a URI reference). References to other files and
 * to the network are never followed.
 */

import { pointerSegments } from "../../core/json-pointer.ts";
import { isJsonObject, ownMember } from "../../core/json-value.ts";
import { decodePercents } from "../../core/text/percent-decoding.ts";
import { pointer, quote } from "../../errors.ts";
import type { Placed, ReadingContext } from "./reading-context.ts";

/** The longest chain of references. */
const maxHops = 32;

/** A value that is not a reference, or why there is none. */
export type Resolved = Placed | { readonly reason: string };

/** Results by reference: a document can have one reference in very many places. */
const known = new WeakMap<ReadingContext, Map<string, Resolved>>();

/** Follows the references of a value; `from` is the place of the value. */
export function resolveReference(context: ReadingContext, from: Placed): Resolved {
  const reference = referenceOf(from.value);
  if (typeof reference !== "string") return followReferences(context, from);
  const results = known.get(context) ?? new Map<string, Resolved>();
  known.set(context, results);
  const result = results.get(reference) ?? followReferences(context, from);
  results.set(reference, result);
  return result;
}

function followReferences({ root }: ReadingContext, from: Placed): Resolved {
  let found = from;
  for (let hops = 0; hops <= maxHops; hops++) {
    const reference = referenceOf(found.value);
    if (reference === undefined) return found;
    if (typeof reference !== "string") return { reason: "`$ref` must be a string" };
    if (reference !== "#" && !reference.startsWith("#/")) {
      return {
        reason: `${quote(reference)} is outside of the document; only \`#/...\` references are followed`,
      };
    }
    const target = valueAt(root, reference.slice(1));
    if (target === undefined) return { reason: `${quote(reference)} is not in the document` };
    found = target;
  }
  return { reason: `its references form a cycle, or a chain of more than ${maxHops}` };
}

/** The reference of a value; undefined when it has none. */
export function referenceOf(value: unknown): unknown {
  return isJsonObject(value) ? ownMember(value, "$ref") : undefined;
}

/** The value at a fragment: an RFC 6901 pointer, percent-encoded. */
function valueAt(root: unknown, fragment: string): Placed | undefined {
  const segments = segmentsOf(fragment);
  if (segments === undefined) return undefined;
  let value: unknown = root;
  for (const segment of segments) {
    value = childOf(value, segment);
    if (value === undefined) return undefined;
  }
  return { value, at: pointer(...segments) };
}

function segmentsOf(fragment: string): readonly string[] | undefined {
  const decoded = decodePercents(fragment);
  return decoded === undefined ? undefined : pointerSegments(decoded);
}

function childOf(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined;
  return isJsonObject(value) ? ownMember(value, segment) : undefined;
}
