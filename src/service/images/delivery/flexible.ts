/** Flexible variants: a list of options in the place of a variant, for images that require no signature (`observed`). */
import { followClient, type ReadHeader } from "../../../engine/images/request/client-hints.ts";
import { parseTransformation } from "../../../engine/images/request/parse-transformation.ts";
import type { TransformOptions } from "../../../engine/images/transform/options.ts";
import { ApiError, problem } from "../../../errors.ts";
import type { ImageAccountRecord, ImageRecord } from "../../../store/records/images.ts";
import { configOf } from "../config.ts";

/** The options of a list. */
export interface FlexibleOptions {
  readonly options: TransformOptions;
  /** Request headers on which they depend. */
  readonly vary: readonly string[];
  /** Options without an effect here. */
  readonly warnings: readonly string[];
}

/** In the last segment of an address: it is a list of options, which no id of a variant can be (`observed`). */
const optionSign = "=";

/** Whether the last segment of an address, as it was sent, is a list of options. */
export function isOptionList(segment: string): boolean {
  return segment.includes(optionSign);
}

/** @param list as it was sent @throws {ApiError} 9401, 9425, 9429 */
export function readFlexible(
  account: ImageAccountRecord,
  { requireSignedURLs }: ImageRecord,
  list: string,
  header: ReadHeader,
): FlexibleOptions {
  if (!configOf(account).flexible_variants)
    throw new ApiError(problem(9429, "Flexible variants are not enabled for the account."));
  if (requireSignedURLs)
    throw new ApiError(problem(9425, "An image that requires signatures has no flexible variants."));
  const read = parseTransformation(list);
  if (!read.ok) throw new ApiError(...read.problems);
  const { options, vary } = followClient({ format: "auto", ...read.value.options }, header);
  return {
    options,
    vary: [...(options.format === "auto" ? ["Accept"] : []), ...vary],
    warnings: [...read.value.warnings, ...(options.onerror ? ["onerror has no effect here"] : [])],
  };
}
