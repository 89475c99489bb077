/** Reads the file of an export line by line, and refuses whatever could not have been written by one. */
import { createHash, type Hash } from "node:crypto";
import { quote } from "../../errors.ts";
import { assertRecord } from "../argument-checks.ts";
import { collections } from "../collections.ts";
import {
  type CollectionTable,
  type Definitions,
  plainDefinitions,
  type StoredRecord,
} from "../definition.ts";
import { compareValues } from "../order.ts";
import type { SequenceState } from "../port.ts";
import { type Contents, currentFormat, type ExportEntry, InvalidExportError } from "./format.ts";
import { linesOf } from "./lines.ts";

/** An entry, and the line it stands on. */
export type NumberedEntry = ExportEntry & { readonly line: number };

type Members = Readonly<Record<string, unknown>>;

/**
 * The entries of a file. Nothing is known to be right before the last one has come: the checksum stands at the end.
 *
 * @throws {InvalidExportError} at the first line that is not as it should be
 */
export async function* readExport(
  bytes: AsyncIterable<Uint8Array>,
  table: CollectionTable = collections,
): AsyncGenerator<NumberedEntry, void, undefined> {
  const definitions = plainDefinitions(table);
  const hash = createHash("sha256");
  const counts = { records: 0, sequences: 0, blobs: 0 };
  let place: Place | undefined;
  let line = 0;
  let ended = false;
  for await (const text of linesOf(bytes)) {
    line += 1;
    const members = parseLine(text, line);
    if (ended) throw new InvalidExportError(line, "there is more behind the end");
    if (line === 1) assertHead(members);
    else if ("end" in members) {
      assertEnd(members["end"], counts, hash, line);
      ended = true;
      continue;
    } else {
      const entry = readEntry(members, definitions, line);
      place = assertBehind(place, placeOf(entry), line);
      counts[`${entry.kind}s`] += 1;
      yield { ...entry, line };
    }
    hash.update(text).update("\n");
  }
  if (line === 0) throw new InvalidExportError(1, "the file is empty");
  if (!ended) throw new InvalidExportError(line + 1, "the end is missing: the file was cut");
}

/** What a file holds. @throws {InvalidExportError} when it is not a whole and unchanged export */
export async function checkExport(
  bytes: AsyncIterable<Uint8Array>,
  table: CollectionTable = collections,
): Promise<Contents> {
  const counts = { records: 0, sequences: 0, blobs: 0 };
  for await (const { kind } of readExport(bytes, table)) counts[`${kind}s`] += 1;
  return counts;
}

function parseLine(text: Uint8Array, line: number): Members {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text));
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : "it is not UTF-8 text";
    throw new InvalidExportError(line, `no line of an export: ${message}`);
  }
  if (isObject(value)) return value;
  throw new InvalidExportError(line, `it holds ${quote(value)}; each line of an export is a JSON object`);
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function assertHead({ edgeproof, format }: Members): void {
  if (edgeproof !== "export" || !Number.isSafeInteger(format))
    throw new InvalidExportError(1, "this is no file that `edgeproof export` has written");
  if ((format as number) > currentFormat)
    throw new InvalidExportError(1, `format ${format} was written by a newer edgeproof: update edgeproof`);
}

function assertEnd(end: unknown, counts: Contents, hash: Hash, line: number): void {
  if (!isObject(end)) throw new InvalidExportError(line, "the end is malformed");
  for (const [name, count] of Object.entries(counts)) {
    if (end[name] !== count)
      throw new InvalidExportError(line, `there are ${count} ${name}, the end says ${quote(end[name])}`);
  }
  if (end["sha256"] !== hash.digest("hex"))
    throw new InvalidExportError(line, "the checksum is another one: the file was changed or damaged");
}

const readers: Readonly<Record<string, (members: Members, definitions: Definitions) => ExportEntry>> = {
  record: ({ collection, record }, definitions) => {
    const definition = typeof collection === "string" ? definitions.get(collection) : undefined;
    if (!definition)
      throw new TypeError(`there is no collection ${quote(collection)}; a newer edgeproof may know it`);
    if (!isObject(record)) throw new TypeError(`the record is ${quote(record)}; it must be an object`);
    assertRecord(definition, record as unknown as StoredRecord);
    return { kind: "record", collection: definition.name, record: record as unknown as StoredRecord };
  },
  sequence: ({ sequence }) => {
    if (!isSequence(sequence))
      throw new TypeError("a sequence has a scope, a name, and a last number from 1");
    return { kind: "sequence", sequence };
  },
  blob: ({ blob: key, base64 }) => {
    if (typeof key !== "string" || typeof base64 !== "string")
      throw new TypeError("a blob has a key, and its bytes as base64");
    const bytes = Buffer.from(base64, "base64");
    if (bytes.toString("base64") !== base64) throw new TypeError("the bytes of the blob are not base64");
    return { kind: "blob", key, bytes };
  },
};

function isSequence(value: unknown): value is SequenceState {
  if (!isObject(value)) return false;
  const { scope, name, last } = value;
  return (
    typeof scope === "string" && typeof name === "string" && Number.isSafeInteger(last) && Number(last) > 0
  );
}

function readEntry(members: Members, definitions: Definitions, line: number): ExportEntry {
  const kind = Object.keys(readers).find((name) => Object.hasOwn(members, name));
  if (kind === undefined)
    throw new InvalidExportError(line, "there is no record, sequence, blob or end in it");
  try {
    return readers[kind]!(members, definitions);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidExportError(line, error.message);
  }
}

/** Where an entry stands in a file. */
type Place = readonly [part: number, ...texts: string[]];

function placeOf(entry: ExportEntry): Place {
  if (entry.kind === "record") return [0, entry.collection, entry.record.scope, entry.record.id];
  if (entry.kind === "sequence") return [1, entry.sequence.scope, entry.sequence.name];
  return [2, entry.key];
}

const loneSurrogate = /\p{Cs}/u;

function assertBehind(before: Place | undefined, place: Place, line: number): Place {
  const at = place.findIndex((part, i) => part !== before?.[i]);
  if (before === undefined || (at >= 0 && compareValues(place[at]!, before[at]!) > 0)) return place;
  if (at >= 0 && [place[at], before[at]].some((part) => loneSurrogate.test(String(part)))) return place;
  const what = at < 0 ? "the same stands on the line before" : "it stands behind what belongs after it";
  throw new InvalidExportError(line, `${what}; an export holds everything once and in order`);
}
