/** Image hosting as plain functions: judge an upload, render a variant, filter by metadata, sign an address. */

export type { Problem } from "../../errors.ts";
export type { RasterType } from "../picture/header.ts";
export { chooseFormat, type OutputFacts } from "./accept.ts";
export { renderBase } from "./base.ts";
export {
  type CompiledFilters,
  compileFilters,
  type FilterOperator,
  type FilterParse,
  filterLimits,
  filterOperators,
  type MetadataFilter,
  parseMetadataFilters,
} from "./filter.ts";
export { type Plan, planGeometry, type Size } from "./geometry.ts";
export {
  type CustomIdOptions,
  checkCustomId,
  checkKeyName,
  maxImageIdLength,
  maxKeyNameLength,
} from "./ids.ts";
export { type ImageJudgement, judgeImage } from "./judge.ts";
export { type ImageLimits, imageLimits } from "./limits.ts";
export { checkMetadata, type MetadataParse, maxMetadataBytes, parseMetadataFields } from "./metadata.ts";
export { type RenderContext, renderVariant } from "./render.ts";
export type { Rendering } from "./rendering.ts";
export {
  accountHash,
  type RequestedAddress,
  type SignatureVerdict,
  signAddress,
  signText,
  verifyAddress,
} from "./signing.ts";
export { contentTypes, type ImageType, type Sniffed, sniffImage } from "./sniff.ts";
export { type CleanedSvg, cleanSvg, svgHeaders } from "./svg.ts";
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
} from "./variant.ts";
