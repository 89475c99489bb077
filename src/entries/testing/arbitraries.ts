/** `edgeproof/testing/arbitraries`: the part of `edgeproof/testing` with the random input of each area, for fast-check. */

export type { InvalidBody } from "../../testing/arbitraries/body-faults.ts";
export {
  type BrandArbitraries,
  brandArbitraries,
  type DomainQueryBody,
  type InvalidHostName,
  type LogoQueryBody,
} from "../../testing/arbitraries/brand.ts";
export type { DeliveryTarget, InvalidAddress } from "../../testing/arbitraries/delivery.ts";
export type { FastCheck } from "../../testing/arbitraries/fast-check.ts";
export type { InvalidFilters, MetadataFilters } from "../../testing/arbitraries/filters.ts";
export {
  type ImageArbitraries,
  type ImagePatchBody,
  imageArbitraries,
  type VariantBody,
} from "../../testing/arbitraries/images.ts";
export {
  type AppBody,
  type ProxyArbitraries,
  proxyArbitraries,
  type WrongApp,
  type WrongFacts,
} from "../../testing/arbitraries/proxy.ts";
export type {
  ConfigBody,
  ConfigPatchBody,
  RuleBody,
  RulePatchBody,
} from "../../testing/arbitraries/token-bodies.ts";
export type { InvalidRequest, InvalidZone } from "../../testing/arbitraries/token-faults.ts";
export {
  type TokenArbitraries,
  type TokenArbitrariesOptions,
  tokenArbitraries,
} from "../../testing/arbitraries/tokens.ts";
export {
  type InvalidPicture,
  type InvalidUpload,
  type Upload,
  uploadForm,
} from "../../testing/arbitraries/uploads.ts";
