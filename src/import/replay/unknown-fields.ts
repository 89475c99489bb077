/**
 * The fields of a recorded request whose value the recording does not have, and whether a verdict depends on them.
 *
 * A verdict is certain when the parts that decided each expression read none of them: those parts are sufficient for
 * the value, whatever the others are.
 */
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import type { ReadZone } from "../../engine/tokens/zone/zone-input.ts";
import { type RecordedRequest, silenceOf } from "../traffic/recorded-request.ts";
import { isRedacted } from "../traffic/redaction.ts";
import { customReads, evaluatedKeys } from "./custom-reads.ts";
import { fieldValue, type LeafReads, type RuleField, readsOfLeaf, sourceField } from "./rule-fields.ts";

/** Why the value of a field is not known. */
export type UnknownReason = "redacted" | "stripped" | "unsure";

/** Unknown fields by their keys; undefined when every field is known. */
export type UnknownFields = ReadonlyMap<string, UnknownReason> | undefined;

/**
 * The fields of a request that are not known.
 *
 * @param seen keys of fields that other requests of the file have; those of this request are added
 */
export function unknownFields(
  request: RecordedRequest,
  fields: readonly RuleField[],
  seen: Set<string>,
): UnknownFields {
  let unknown: Map<string, UnknownReason> | undefined;
  for (const field of fields) {
    const reason = unknownReason(request, field, seen);
    if (reason === undefined) continue;
    unknown ??= new Map();
    unknown.set(field.key, reason);
  }
  return unknown;
}

function unknownReason(
  request: RecordedRequest,
  field: RuleField,
  seen: Set<string>,
): UnknownReason | undefined {
  const value = fieldValue(request, field);
  if (value === undefined) {
    const silence = silenceOf(request.recording, field);
    return silence === "absent" || (silence === "unsure" && seen.has(field.key)) ? undefined : silence;
  }
  if (!seen.has(field.key)) seen.add(field.key);
  return isRedacted(value) ? "redacted" : undefined;
}

/** The unknown fields that verdicts of one zone depend on. */
export interface Dependencies {
  /** Keys of the fields among `unknown` that the verdict on the request depends on. */
  of(verdict: Verdict, request: RecordedRequest, unknown: ReadonlyMap<string, UnknownReason>): Set<string>;
}

/** Prepares the search for dependencies in a zone. */
export function createDependencies({ configs, custom }: ReadZone): Dependencies {
  const sources = new Map(configs.map(({ id, sources: list }) => [id, list.map(sourceField)]));
  const reads = new Map<string, LeafReads>();

  const customRules = custom === undefined ? undefined : customReads(custom);

  function readsOf(text: string): LeafReads {
    const known = reads.get(text);
    if (known !== undefined) return known;
    const read = readsOfLeaf(text);
    reads.set(text, read);
    return read;
  }

  return {
    of(verdict, request, unknown) {
      const found = new Set<string>();
      for (const { decidedBy } of verdict.trace.expressions) {
        for (const { text } of decidedBy) {
          const read = readsOf(text);
          const fields =
            "fields" in read ? read.fields : readSources(sources.get(read.configId), request, unknown);
          for (const { key } of fields) if (unknown.has(key)) found.add(key);
        }
      }
      // Whether other parts decide a custom rule is not looked into: everything that it reads counts.
      for (const key of verdict.custom === undefined ? [] : evaluatedKeys(verdict.custom)) {
        const { fields = [], configs: ids = [...sources.keys()] } = customRules?.get(key) ?? {};
        const inTokens = ids.flatMap((id) => readSources(sources.get(id), request, unknown));
        for (const field of [...fields, ...inTokens]) if (unknown.has(field.key)) found.add(field.key);
      }
      return found;
    },
  };
}

/** The sources of a configuration up to the one that yields its token. */
function readSources(
  sources: readonly RuleField[] = [],
  request: RecordedRequest,
  unknown: ReadonlyMap<string, UnknownReason>,
): readonly RuleField[] {
  const deciding = sources.findIndex(
    (field) => !unknown.has(field.key) && isToken(fieldValue(request, field)),
  );
  return deciding === -1 ? sources : sources.slice(0, deciding);
}

function isToken(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
