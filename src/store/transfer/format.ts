/**
 * The format of an export, in lines of JSON: a head, the records by collection, scope and id, the sequences, the blobs
 * by key, and an end with counts and a checksum, which show that a file was cut or changed. Everything is in the order
 * of `compareText`, so that stores with equal contents have equal files, byte for byte.
 */
import type { StoredRecord } from "../definition.ts";
import type { SequenceState } from "../port.ts";

/** Increased when older versions of edgeproof cannot read the file any more. Before 2, every blob had one claim. */
export const currentFormat = 2;

/** The number of entries of each kind in a file. */
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
  /** Number of records that name it, from 0. */
  readonly claims: number;
}

/** The content of a line between head and end. */
export type ExportEntry = RecordEntry | SequenceEntry | BlobEntry;

export const headLine = `${JSON.stringify({ edgeproof: "export", format: currentFormat })}\n`;

export function recordLine(collection: string, record: StoredRecord): string {
  return `${JSON.stringify({ collection, record })}\n`;
}

export function sequenceLine({ scope, name, last }: SequenceState): string {
  return `${JSON.stringify({ sequence: { scope, name, last } })}\n`;
}

/** Without the number of claims when it is 1, as in almost all blobs. */
export function blobLine({ key, bytes, claims }: Omit<BlobEntry, "kind">): string {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return `${JSON.stringify({ blob: key, ...(claims !== 1 && { claims }), base64 })}\n`;
}

/** @param sha256 of all bytes before this line, in hexadecimal digits */
export function endLine(contents: Contents, sha256: string): string {
  return `${JSON.stringify({ end: { ...contents, sha256 } })}\n`;
}

/** A file that is not an export of a store, or is damaged. */
export class InvalidExportError extends Error {
  override readonly name = "WrongExportError";
  /** Number of the first invalid line, from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}
