/** Image hosting as plain functions: validate an upload, render a variant or a list of options, filter by metadata, sign. */

// Validate, render, transform and sign

export type { Result } from "../core/result.ts";
export { type RenderContext, renderVariant } from "../engine/images/render/render.ts";
export type { Rendering } from "../engine/images/render/rendering.ts";
export { checkVariantOptions, type VariantOptions } from "../engine/images/render/variant.ts";
export { parseTransformation } from "../engine/images/request/parse-transformation.ts";
export { transformPicture } from "../engine/images/request/transform-picture.ts";
export { signAddress, type VerifiedAddress, verifyAddress } from "../engine/images/signing.ts";
export type { TextOptions } from "../engine/images/text/read-text.ts";
export type { TransformOptions } from "../engine/images/transform/options.ts";
export type { ParsedTransformation } from "../engine/images/transform/read-options.ts";
export {
  type ImageValidationOptions,
  type ValidatedImage,
  validateImage,
} from "../engine/images/validate-image.ts";
export type { CodedDiagnostic } from "../errors.ts";

// Workers

export {
  createImageFetch,
  type ImageFetch,
  type ImageFetchInit,
  type ImageFetchOptions,
} from "../http/image-fetch.ts";
export { createImagesBindingFetch } from "../http/images-binding-fetch.ts";
export type {
  HostedImage,
  HostedImageFields,
  HostedImageHandle,
  HostedImageList,
  HostedImages,
  HostedTarget,
} from "../service/images/binding/hosted-images.ts";
export {
  type ImageInfo,
  type ImageOutputOptions,
  type ImagesBinding,
  type ImagesBindingFetchOptions,
  type ImagesBindingOptions,
  type ImageTransformationResult,
  type ImageTransformer,
  imagesBinding,
} from "../service/images/binding/images-binding.ts";
export type { ImageInputOptions } from "../service/images/binding/read-input.ts";

// Single steps

export { checkCustomId, checkKeyName } from "../engine/images/ids.ts";
export { type ImageLimits, imageLimits } from "../engine/images/limits.ts";
export {
  type CompiledFilters,
  compileFilters,
  type MetadataFilter,
  parseMetadataFilters,
} from "../engine/images/metadata/filter.ts";
export { checkMetadata, parseMetadataFields } from "../engine/images/metadata/metadata.ts";
export { chooseFormat } from "../engine/images/render/accept.ts";
export { renderBase } from "../engine/images/render/base-image.ts";
export { planGeometry } from "../engine/images/render/geometry.ts";
export {
  type CompleteVariantOptions,
  checkVariantId,
  type Fit,
  fits,
  metadataModes,
} from "../engine/images/render/variant.ts";
export { accountHash, computeSignature } from "../engine/images/signing.ts";
export { contentTypes, sniffImage } from "../engine/images/sniff.ts";
export { cleanSvg, svgHeaders } from "../engine/images/svg/clean-svg.ts";
export type { CleanSvg } from "../engine/images/svg/model.ts";
