/**
 * A whole store as lines of JSON: a head, the records by collection, scope and id, the sequences, the blobs by key,
 * and an end with counts and a checksum, so that a file that was cut or changed shows. Everything stands in code
 * point order: two stores that hold the same have the same file, byte for byte. (Lone surrogates, which no id has that
 * came through the interface, stand as the store lists them.)
 */
import type { StoredRecord } from "../definition.ts";
import type { SequenceState } from "../port.ts";

/** Rises when an older edgeproof could not read the file any more. */
export const currentFormat = 1;

/** What a file holds. */
export interface Contents {
  readonly records: number;
  readonly sequences: number;
  readonly blobs: number;
}

export interface RecordEntry {
  readonly kind: "record";
  readonly collection: string;
  readonly record: StoredRecord;
}

export interface SequenceEntry {
  readonly kind: "sequence";
  readonly sequence: SequenceState;
}

export interface BlobEntry {
  readonly kind: "blob";
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** What a line between head and end holds. */
export type ExportEntry = RecordEntry | SequenceEntry | BlobEntry;

export const headLine = `${JSON.stringify({ edgeproof: "export", format: currentFormat })}\n`;

export function recordLine(collection: string, record: StoredRecord): string {
  return `${JSON.stringify({ collection, record })}\n`;
}

export function sequenceLine({ scope, name, last }: SequenceState): string {
  return `${JSON.stringify({ sequence: { scope, name, last } })}\n`;
}

export function blobLine(key: string, bytes: Uint8Array): string {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return `${JSON.stringify({ blob: key, base64 })}\n`;
}

/** @param sha256 of all bytes before this line, in hexadecimal digits */
export function endLine(contents: Contents, sha256: string): string {
  return `${JSON.stringify({ end: { ...contents, sha256 } })}\n`;
}

/** A file that is no export of a store, or is damaged. */
export class InvalidExportError extends Error {
  override readonly name = "WrongExportError";
  /** Where it went wrong, counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}
