/** `edgeproof/testing`: what tests of edge configuration are made with. */

export type { WrongBody } from "./body-faults.ts";
export {
  type BrandArbitraries,
  brandArbitraries,
  type DomainQueryBody,
  type LogoQueryBody,
  type Observation,
  type WrongName,
} from "./brand-arbitraries.ts";
export {
  countingIds,
  createTestClock,
  createTestEdge,
  type TestClock,
  type TestEdge,
  type TestEdgeOptions,
  testNow,
} from "./create-test-edge.ts";
export type { DeliveryTarget, WrongAddress } from "./delivery-arbitraries.ts";
export type { FastCheck } from "./fast-check.ts";
export {
  type FaultOptions,
  mintFaultyToken,
  type TokenFault,
  tokenFaultNames,
  tokenFaults,
} from "./faults.ts";
export { fillStandIns } from "./fill-stand-ins.ts";
export type { MetadataFilters, WrongFilters } from "./filter-arbitraries.ts";
export {
  type ImageArbitraries,
  type ImagePatchBody,
  imageArbitraries,
  type VariantBody,
} from "./image-arbitraries.ts";
export {
  type LookAlike,
  type LookAlikeKind,
  type LookAlikeOptions,
  lookAlikeKinds,
  lookAlikes,
} from "./look-alikes.ts";
export {
  type ExpectedVerdict,
  type MatcherResult,
  type VerdictMatchers,
  verdictMatchers,
} from "./matchers.ts";
export { type MintedKey, type MintTokenOptions, mintKey, mintToken } from "./mint.ts";
export {
  type AppBody,
  type ProxyArbitraries,
  proxyArbitraries,
  type WrongApp,
  type WrongFacts,
} from "./proxy-arbitraries.ts";
export {
  type ContractCase,
  type ContractCaseWithGap,
  contractWithGaps,
  type OpenStore,
  storeContract,
} from "./store-contract.ts";
export {
  type TokenArbitraries,
  tokenArbitraries,
  type WrongRequest,
  type WrongZone,
} from "./token-arbitraries.ts";
export type { ConfigBody, ConfigPatchBody, RuleBody, RulePatchBody } from "./token-bodies.ts";
export { type Upload, uploadForm, type WrongPicture, type WrongUpload } from "./upload-arbitraries.ts";
