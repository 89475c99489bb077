/** Reads an export file line by line and rejects everything that an export does not write. */

import { createHash, type Hash } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { runCommand } from "../../core/text/run-command.ts";
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

/** An entry and its line number, from 1. */
export type NumberedEntry = ExportEntry & { readonly line: number };

/**
 * The entries of a file. They are not verified until the last one was read: the checksum is at the end.
 *
 * @throws {InvalidExportError} at the first invalid line
 */
export async function* readExport(
  bytes: AsyncIterable<Uint8Array>,
  table: CollectionTable = collections,
): AsyncGenerator<NumberedEntry, void, undefined> {
  const definitions = plainDefinitions(table);
  const hash = createHash("sha256");
  const counts = { records: 0, sequences: 0, blobs: 0 };
  let previous: OrderKeys | undefined;
  let line = 0;
  let ended = false;
  for await (const text of linesOf(bytes)) {
    line += 1;
    const members = parseLine(text, line);
    if (ended)
      throw new InvalidExportError(line, "the file must end after its `end` line; found another line");
    if (line === 1) assertHead(members);
    else if ("end" in members) {
      assertEnd(members["end"], counts, hash, line);
      ended = true;
      continue;
    } else {
      const entry = readEntry(members, definitions, line);
      const keys = orderKeysOf(entry);
      if (previous) assertAfter(previous, keys, line);
      previous = keys;
      counts[`${entry.kind}s`] += 1;
      yield { ...entry, line };
    }
    hash.update(text).update("\n");
  }
  if (line === 0) throw new InvalidExportError(1, "the file is empty");
  if (!ended) throw new InvalidExportError(line + 1, "the `end` line is missing: the file was cut");
}

/** The number of entries of a file. @throws {InvalidExportError} when it is not a complete, unchanged export */
export async function checkExport(
  bytes: AsyncIterable<Uint8Array>,
  table: CollectionTable = collections,
): Promise<Contents> {
  const counts = { records: 0, sequences: 0, blobs: 0 };
  for await (const { kind } of readExport(bytes, table)) counts[`${kind}s`] += 1;
  return counts;
}

function parseLine(text: Uint8Array, line: number): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text));
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : "it is not valid UTF-8";
    throw new InvalidExportError(line, `a line of an export must be a JSON object: ${message}`);
  }
  if (isJsonObject(value)) return value;
  throw new InvalidExportError(line, `a line of an export must be a JSON object; found ${quote(value)}`);
}

function assertHead({ edgeproof, format }: JsonObject): void {
  if (edgeproof !== "export" || !Number.isSafeInteger(format))
    throw new InvalidExportError(1, `the file was not written by \`${runCommand} store export\``);
  if ((format as number) > currentFormat)
    throw new InvalidExportError(1, `format ${format} was written by a newer edgeproof; update edgeproof`);
}

function assertEnd(end: unknown, counts: Contents, hash: Hash, line: number): void {
  if (!isJsonObject(end)) throw new InvalidExportError(line, "`end` must be an object");
  for (const [name, count] of Object.entries(counts)) {
    if (end[name] !== count)
      throw new InvalidExportError(
        line,
        `\`end.${name}\` must be the number of ${name} in the file, ${count}; found ${quote(end[name])}`,
      );
  }
  if (end["sha256"] !== hash.digest("hex"))
    throw new InvalidExportError(line, "the checksum does not match: the file was changed or damaged");
}

const readers: Readonly<Record<string, (members: JsonObject, definitions: Definitions) => ExportEntry>> = {
  record: ({ collection, record }, definitions) => {
    const definition = typeof collection === "string" ? definitions.get(collection) : undefined;
    if (!definition)
      throw new TypeError(`unknown collection ${quote(collection)}; a newer edgeproof may know it`);
    if (!isJsonObject(record)) throw new TypeError(`\`record\` must be an object; found ${quote(record)}`);
    assertRecord(definition, record as unknown as StoredRecord);
    return { kind: "record", collection: definition.name, record: record as unknown as StoredRecord };
  },
  sequence: ({ sequence }) => {
    if (!isSequence(sequence))
      throw new TypeError(
        "`sequence` must have the strings `scope` and `name`, and the integer `last` from 1",
      );
    return { kind: "sequence", sequence };
  },
  blob: ({ blob: key, claims = 1, base64 }) => {
    if (typeof key !== "string" || typeof base64 !== "string")
      throw new TypeError("`blob` and `base64` must be strings: the key, and the bytes in base64");
    if (!isCount(claims)) throw new TypeError("`claims` must be an integer from 0 to 1,000,000,000");
    const bytes = Buffer.from(base64, "base64");
    if (bytes.toString("base64") !== base64) throw new TypeError("`base64` must be base64");
    return { kind: "blob", key, bytes, claims };
  },
};

/** Far more records than a store has; sums of them are exact. */
const maxClaims = 1_000_000_000;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maxClaims;
}

function isSequence(value: unknown): value is SequenceState {
  if (!isJsonObject(value)) return false;
  const { scope, name, last } = value;
  return (
    typeof scope === "string" && typeof name === "string" && Number.isSafeInteger(last) && Number(last) > 0
  );
}

function readEntry(members: JsonObject, definitions: Definitions, line: number): ExportEntry {
  const [, read] = Object.entries(readers).find(([name]) => Object.hasOwn(members, name)) ?? [];
  if (!read) throw new InvalidExportError(line, "a line must have `record`, `sequence`, `blob` or `end`");
  try {
    return read(members, definitions);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidExportError(line, error.message);
  }
}

/** The keys of an entry in the order of a file. */
type OrderKeys = readonly [section: number, ...keys: string[]];

function orderKeysOf(entry: ExportEntry): OrderKeys {
  if (entry.kind === "record") return [0, entry.collection, entry.record.scope, entry.record.id];
  if (entry.kind === "sequence") return [1, entry.sequence.scope, entry.sequence.name];
  return [2, entry.key];
}

/** Older versions ordered lone surrogates as the store did. */
const loneSurrogate = /\p{Cs}/u;

function assertAfter(previous: OrderKeys, keys: OrderKeys, line: number): void {
  const differing = keys.findIndex((key, i) => key !== previous[i]);
  const pair = [keys[differing] ?? null, previous[differing] ?? null] as const;
  if (differing >= 0 && compareValues(...pair) > 0) return;
  if (differing >= 0 && pair.some((key) => loneSurrogate.test(String(key)))) return;
  const problem =
    differing < 0 ? "the same entry is on the line before" : "the entry belongs before the previous line";
  throw new InvalidExportError(line, `${problem}; an export holds every entry once and in order`);
}
