/** Flexible variants: a list of options in the place of a variant, for images that require no signature (`observed`). */
import { createHash } from "node:crypto";
import { resolveImageLimits } from "../../../engine/images/limits.ts";
import { chooseFormat } from "../../../engine/images/render/accept.ts";
import { followClient, type ReadHeader } from "../../../engine/images/request/client-hints.ts";
import { formatOf, renderFlexible } from "../../../engine/images/request/flexible-variant.ts";
import { planOperations } from "../../../engine/images/transform/operations.ts";
import type { TransformOptions } from "../../../engine/images/transform/options.ts";
import { readOptionList } from "../../../engine/images/transform/read-options.ts";
import { ApiError, type CodedDiagnostic, problem } from "../../../errors.ts";
import type { ImageAccountRecord, ImageRecord, Original } from "../../../store/records/images.ts";
import type { ServiceContext } from "../../context.ts";
import { configOf } from "../config.ts";
import { type DecodedSize, engineLimits } from "../decoding-memory.ts";
import { blobPrefix } from "../uploads/original-storage.ts";
import type { Rendition } from "./renditions.ts";

/** A list of options as it was sent, and the headers of its request. */
export interface FlexibleRequest {
  readonly list: string;
  readonly header: ReadHeader;
}

/** A rendering that a list of options asks for. */
export interface FlexibleRendering {
  /** Identifies the rendition. */
  readonly key: string;
  readonly etag: string;
  /** Request headers on which it depends. */
  readonly vary: readonly string[];
  /** Options without an effect here. */
  readonly warnings: readonly string[];
  /** Memory that it needs. @throws {ApiError} 9401, 9413 */
  size(): DecodedSize;
  /** @throws {ApiError} 9401, 9412, 9413, 9516 */
  render(bytes: Uint8Array): Promise<Rendition>;
}

/** In the last segment of an address: it is a list of options, which no id of a variant can be (`observed`). */
const optionSign = "=";

/** Whether the last segment of an address, as it was sent, is a list of options. */
export function isOptionList(segment: string): boolean {
  return segment.includes(optionSign);
}

/** @throws {ApiError} 9401, 9425, 9429 */
export function resolveFlexible(
  context: ServiceContext,
  account: ImageAccountRecord,
  { requireSignedURLs }: ImageRecord,
  original: Original,
  { list, header }: FlexibleRequest,
): FlexibleRendering {
  if (!configOf(account).flexible_variants)
    throw new ApiError(problem(9429, "Flexible variants are not enabled for the account."));
  if (requireSignedURLs)
    throw new ApiError(problem(9425, "An image that requires signatures has no flexible variants."));
  const read = readOptionList(list);
  if (!read.ok) throw new ApiError(...read.problems);
  const { options, vary } = followClient(read.value.options, header);
  const accept = formatOf(options) === "auto" ? (header("accept") ?? undefined) : undefined;
  const limits = resolveImageLimits(engineLimits(context.limits));
  const tag = tagOf(options, accept);
  const blob = original.blob.slice(blobPrefix.length);
  return {
    key: `${blob}-${tag}`,
    etag: `"cf-${tag}:${blob}"`,
    vary: [...(formatOf(options) === "auto" ? ["Accept"] : []), ...vary],
    warnings: [...read.value.warnings, ...(options.onerror ? ["onerror has no effect here"] : [])],
    size: () => {
      const { type, width, height, frames } = original;
      if (type === "svg") return { width: 0, height: 0, frames: 0 };
      const output = planOperations(original, [{ transform: options }], limits);
      if ("code" in output) throw new ApiError(output);
      return output.width * output.height > width * height ? { ...output, frames } : original;
    },
    render: async (bytes) => {
      const rendered = await renderFlexible(bytes, options, { accept, limits });
      if (!rendered.ok) throw new ApiError(explain(rendered.problems[0]));
      const { bytes: file, contentType, warnings } = rendered.value;
      return { bytes: file, contentType, warnings };
    },
  };
}

/** Undecodable originals have a code of transformations. */
function explain(found: CodedDiagnostic): CodedDiagnostic {
  return found.code === 9422 ? { ...found, code: 9516 } : found;
}

const tagDigits = 32;

/** The options in the order of their table, whatever that of the list is, and what `Accept` decides. */
function tagOf(options: TransformOptions, accept: string | undefined): string {
  const facts = { type: "png", side: 1 } as const;
  const formats = [1, 2].map((frames) => chooseFormat(accept, { ...facts, frames }));
  const { onerror, ...rendered } = options;
  const text = JSON.stringify([rendered, formats]);
  return createHash("sha256").update(text).digest("hex").slice(0, tagDigits);
}
