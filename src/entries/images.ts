/** Image hosting as plain functions: validate an upload, render a variant, filter by metadata, sign an address. */

export type { Failure, Result, Success } from "../core/result.ts";

export {
  type CustomIdOptions,
  checkCustomId,
  checkKeyName,
  maxImageIdLength,
  maxKeyNameLength,
} from "../engine/images/ids.ts";
export { type ImageLimits, imageLimits } from "../engine/images/limits.ts";
export {
  type CompiledFilters,
  compileFilters,
  type FilterOperator,
  filterLimits,
  filterOperators,
  type MetadataFilter,
  parseMetadataFilters,
} from "../engine/images/metadata/filter.ts";
export {
  checkMetadata,
  maxMetadataBytes,
  parseMetadataFields,
} from "../engine/images/metadata/metadata.ts";
export { chooseFormat, type OutputFacts } from "../engine/images/render/accept.ts";
export { renderBase } from "../engine/images/render/base-image.ts";
export { type Plan, planGeometry, type Size } from "../engine/images/render/geometry.ts";
export { type RenderContext, renderVariant } from "../engine/images/render/render.ts";
export type { Rendering } from "../engine/images/render/rendering.ts";
export {
  type CompleteVariantOptions,
  checkVariantId,
  checkVariantOptions,
  defaultFit,
  defaultMetadata,
  type Fit,
  fits,
  type MetadataMode,
  maxBoxSide,
  maxVariantIdLength,
  metadataModes,
  type VariantCheckOptions,
  type VariantOptions,
} from "../engine/images/render/variant.ts";
export {
  accountHash,
  computeSignature,
  type RequestedAddress,
  signAddress,
  type VerifiedAddress,
  verifyAddress,
} from "../engine/images/signing.ts";
export { contentTypes, type ImageType, type SniffedFile, sniffImage } from "../engine/images/sniff.ts";
export { cleanSvg, svgHeaders } from "../engine/images/svg/clean-svg.ts";
export type { CleanSvg } from "../engine/images/svg/writer.ts";
export { type ValidatedImage, validateImage } from "../engine/images/validate-image.ts";
export type { RasterType } from "../engine/picture/header.ts";
export type { CodedDiagnostic } from "../errors.ts";
