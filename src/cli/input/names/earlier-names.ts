/** The names of an earlier run of `match` or `variants`, in any of their formats, or of a plain list. */
import { parseJsonObject } from "../../../core/json-value.ts";
import { canonicalDomain } from "../../../service/brand/domains/feed-record.ts";
import type { Io } from "../../command.ts";
import { byteStream } from "../byte-stream.ts";
import { textLines } from "./text-lines.ts";

/** Says whether the earlier run did not have a name; every spelling of a name is the same name. */
export type IsNewName = (domain: string) => boolean;

/** Reads the file; without one every name is new. @throws {UsageError} when the file cannot be read */
export async function readEarlierNames(file: string | undefined, io: Io): Promise<IsNewName> {
  if (file === undefined) return () => true;
  const earlier = new Set<string>();
  for await (const lines of textLines(byteStream(file, io)))
    for (const line of lines) earlier.add(canonicalDomain(nameOf(line.trim())));
  return (domain) => !earlier.has(canonicalDomain(domain));
}

/** The member `domain` of JSON, or the first word or cell. */
function nameOf(line: string): string {
  if (!line.startsWith("{")) return line.split(/[\s,;]/)[0]?.replaceAll('"', "") ?? "";
  const domain = parseJsonObject(line)?.["domain"];
  return typeof domain === "string" ? domain : "";
}
