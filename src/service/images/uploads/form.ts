/** The text fields of an upload's form, read into what they mean (`spec`, `observed`). */
import { parseMetadataFields } from "../../../engine/images/metadata/metadata.ts";
import { type Note, noteCodes, type Problem, pointer, quote } from "../../../errors.ts";
import { type Notes, rejectAny } from "../../context.ts";

/** A multipart form, taken apart. */
export interface UploadForm {
  /** Names and values of the text fields, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The field `file`. */
  readonly file?: UploadFile;
}

export interface UploadFile {
  readonly bytes: Uint8Array;
  /** Without its folders. */
  readonly filename?: string;
}

/** What a form says; absent is what it does not say. */
export interface UploadFields {
  readonly url?: string;
  readonly id?: string;
  readonly creator?: string;
  /** Any JSON value; `undefined` when there is none. */
  readonly metadata?: unknown;
  readonly requireSignedURLs?: boolean;
  readonly expiry?: string;
}

export type FieldName = keyof UploadFields;

type ReadFields = { -readonly [N in FieldName]?: NonNullable<UploadFields[N]> };

/**
 * Reads the fields that an endpoint takes; others are ignored, with a note.
 *
 * @throws {ApiError} 5400 with every problem
 */
export function readFields({ fields }: UploadForm, taken: readonly FieldName[], notes: Notes): UploadFields {
  const problems: Problem[] = [];
  const read: ReadFields = {};
  const seen = new Set<string>();
  for (const [name, value] of fields) {
    const member = taken.find((n) => n === name);
    if (isMetadata(name) && taken.includes("metadata")) continue;
    if (member === undefined) notes.push(ignoredNote(name));
    else if (seen.has(name)) problems.push(bad(name, `The field ${quote(name)} is given more than once.`));
    else if (member === "requireSignedURLs") problems.push(...readBoolean(value, read));
    else if (member !== "metadata") read[member] = value;
    seen.add(name);
  }
  if (taken.includes("metadata")) {
    const metadata = parseMetadataFields(fields);
    if (!metadata.ok) problems.push(metadata.problem);
    else if (metadata.value !== undefined) read.metadata = metadata.value as NonNullable<unknown>;
  }
  rejectAny(problems);
  return read;
}

function readBoolean(value: string, read: ReadFields): Problem[] {
  read.requireSignedURLs = value === "true";
  if (value === "true" || value === "false") return [];
  const message = `\`requireSignedURLs\` is ${quote(value)}; it must be \`true\` or \`false\`.`;
  return [bad("requireSignedURLs", message)];
}

function isMetadata(name: string): boolean {
  return name === "metadata" || name.startsWith("metadata[");
}

/** Says that an endpoint does not take a field. */
export function ignoredNote(name: string): Note {
  return {
    code: noteCodes.memberIgnored,
    message: `${quote(name)} is not a field here and was ignored.`,
    pointer: pointer(name),
  };
}

function bad(name: string, message: string): Problem {
  return { code: 5400, pointer: pointer(name), message };
}
