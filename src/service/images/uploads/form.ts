/** Reads the text fields of an upload's form (`spec`, `observed`). */

import {
  anIterable,
  aPair,
  aString,
  aUint8Array,
  objectWith,
  optional,
  requireArgument,
  requireEach,
} from "../../../core/arguments.ts";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { booleanText, parseBoolean } from "../../../core/text/typed-values.ts";
import { parseMetadataFields } from "../../../engine/images/metadata/metadata.ts";
import { type CodedDiagnostic, note, pointer, problem, quote, quoteText } from "../../../errors.ts";
import { type Notes, rejectAny } from "../../context.ts";

/** A parsed multipart form. */
export interface UploadForm {
  /** Names and values of the text fields, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The field `file`. */
  readonly file?: UploadFile;
}

/** The file of a form. */
export interface UploadFile {
  /** Content of the file. */
  readonly bytes: Uint8Array;
  /** Name without folders. */
  readonly filename?: string;
}

/** The values of a form's text fields; absent fields are absent members. */
export interface UploadFields {
  readonly url?: string;
  readonly id?: string;
  readonly creator?: string;
  /** Any JSON value; `undefined` when it is missing. */
  readonly metadata?: unknown;
  readonly requireSignedURLs?: boolean;
  readonly expiry?: string;
}

export type FieldName = keyof UploadFields;

type ReadFields = { -readonly [N in FieldName]?: NonNullable<UploadFields[N]> };

const aForm = objectWith({
  fields: anIterable,
  file: optional(objectWith({ bytes: aUint8Array, filename: optional(aString) })),
});

/**
 * Reads the fields that an endpoint accepts; others are ignored, with a note.
 *
 * @throws {ApiError} 5400 with every problem
 */
export function readFields(form: UploadForm, accepted: readonly FieldName[], notes: Notes): UploadFields {
  requireArgument("form", form, aForm);
  const fields = requireEach("fields", form.fields, aPair);
  const problems: CodedDiagnostic[] = [];
  const read: ReadFields = {};
  const seen = new Set<string>();
  for (const [name, value] of fields) {
    const field = accepted.find((n) => n === name);
    if (isMetadata(name) && accepted.includes("metadata")) continue;
    if (field === undefined) notes.push(ignoredNote(name));
    else if (seen.has(name)) problems.push(invalidField(name, "must occur once; found more than one"));
    else if (field === "requireSignedURLs") problems.push(...readBoolean(value, read));
    else if (field !== "metadata") read[field] = value;
    seen.add(name);
  }
  if (accepted.includes("metadata")) {
    const metadata = parseMetadataFields(fields);
    if (!metadata.ok) problems.push(...metadata.problems);
    else if (metadata.value !== undefined) read.metadata = metadata.value as NonNullable<unknown>;
  }
  rejectAny(problems);
  return read;
}

function readBoolean(value: string, read: ReadFields): CodedDiagnostic[] {
  const isRequired = parseBoolean(value);
  if (isRequired === undefined)
    return [invalidField("requireSignedURLs", `must be ${booleanText}; found ${quoteText(value)}`)];
  read.requireSignedURLs = isRequired;
  return [];
}

function isMetadata(name: string): boolean {
  return name === "metadata" || name.startsWith("metadata[");
}

/** The note on a field that the endpoint does not accept. */
export function ignoredNote(name: string): Diagnostic {
  return note("memberIgnored", `${quote(name)} is not a field of this form and was ignored.`, pointer(name));
}

function invalidField(name: string, rule: string): CodedDiagnostic {
  return problem(5400, `${quote(name)} ${rule}.`, pointer(name));
}
