/** Reads the requests of several files, each with its place. */
import type { Location } from "../../../core/diagnostic.ts";
import { pointer } from "../../../errors.ts";
import type { Io } from "../../command.ts";
import { readJsonSource } from "../files.ts";
import { expandPaths } from "../paths/expand.ts";
import { type RequestLine, readRequests } from "./requests-file.ts";

/** The requests of files, in their order. */
export interface ReadRequests {
  readonly requests: readonly RequestLine[];
  /** The place of each request. */
  readonly places: readonly Location[];
  /** The names of the files. */
  readonly files: readonly string[];
}

/** @throws {UsageError} when a file cannot be read, or has an invalid request */
export async function readRequestFiles(words: readonly string[], io: Io): Promise<ReadRequests> {
  const files = await expandPaths(words, io);
  const requests: RequestLine[] = [];
  const places: Location[] = [];
  for (const file of files) {
    const source = await readJsonSource(file, io);
    for (const [i, request] of readRequests(source, file).entries()) {
      const at = Array.isArray(source.value) ? pointer(i) : "";
      requests.push(request);
      places.push({ file, pointer: at, ...source.range(at) });
    }
  }
  return { requests, places, files };
}
