/** The table of readers: one row for each format, tried in this order. */
import { savedEnvelopes } from "./interface/saved-envelopes.ts";
import { keyFiles } from "./keys/key-files.ts";
import { openApi } from "./openapi/openapi-reader.ts";
import type { Reader } from "./reader.ts";
import type { SourceFile } from "./source-file.ts";
import {
  terraformPlan,
  terraformRawState,
  terraformState,
  terraformTest,
} from "./terraform/terraform-files.ts";
import { terraformSources } from "./terraform/terraform-sources.ts";

/**
 * A new format is a folder with a reader and a row here. A reader reads one file; what it cannot know, it marks in
 * `Resource.unknown` or adds to `Reading.undecided`, and `world/` decides what follows from it.
 *
 * Formats with distinctive marks are before formats that are recognized by their members.
 */
export const readers: readonly Reader[] = [
  terraformSources,
  terraformTest,
  terraformPlan,
  terraformState,
  terraformRawState,
  savedEnvelopes,
  openApi,
  keyFiles,
];

/** The reader of a file; undefined when no format has its marks. */
export function readerOf(file: SourceFile): Reader | undefined {
  return readers.find(({ detect }) => detect(file));
}
