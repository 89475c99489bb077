/** Reads what a request asks to be transformed, and how. */
import { isJsonObject } from "../../../core/json-value.ts";
import { type OverlayRequest, readOverlays } from "../../../engine/images/request/overlay-options.ts";
import { parseTransformation } from "../../../engine/images/request/parse-transformation.ts";
import { resolveSource, splitTransformAddress } from "../../../engine/images/request/transform-address.ts";
import type { TransformOptions } from "../../../engine/images/transform/options.ts";
import { readOptionObject } from "../../../engine/images/transform/read-options.ts";
import { type CodedDiagnostic, problem, quote } from "../../../errors.ts";
import { forwardedHeaders } from "./forwarded-headers.ts";

/** The source, its options, and what has no effect. */
export interface ReadRequest {
  readonly url: URL;
  readonly options: TransformOptions;
  readonly overlays: readonly OverlayRequest[];
  readonly warnings: readonly string[];
  /** Headers of the client for the origin. */
  readonly forwarded: Readonly<Record<string, string>>;
}

/** @param origin origin of paths @returns problems have code 9401, 9406 or 9419 */
export function readAddress(rest: string, origin: string): ReadRequest | CodedDiagnostic {
  const split = splitTransformAddress(rest);
  if (!split.ok) return split.problems[0];
  const read = parseTransformation(split.value.list);
  if (!read.ok) return read.problems[0];
  const url = resolveSource(split.value.source, origin);
  if (!url.ok) return url.problems[0];
  return { url: url.value, ...read.value, overlays: [], forwarded: {} };
}

/** @returns problems have code 9401 */
export function readFetch(url: URL, image: unknown, headers: Headers): ReadRequest | CodedDiagnostic {
  if (!isJsonObject(image)) return problem(9401, `\`cf.image\` must be an object; found ${quote(image)}.`);
  const { draw, "origin-auth": auth, ...members } = image;
  if (auth !== undefined && auth !== null && auth !== "share-publicly")
    return problem(9401, `\`origin-auth\` must be \`share-publicly\`; found ${quote(auth)}.`);
  const overlays = readOverlays(draw);
  if (!overlays.ok) return overlays.problems[0];
  const read = readOptionObject(members, "fetch");
  if (!read.ok) return read.problems[0];
  // A Worker reads `Accept` itself (observed).
  const { format, ...others } = read.value.options;
  const options = format === undefined || format === "auto" ? others : read.value.options;
  return {
    url,
    options,
    overlays: overlays.value.overlays,
    warnings: [...read.value.warnings, ...overlays.value.warnings],
    forwarded: auth ? forwardedHeaders(headers) : {},
  };
}
