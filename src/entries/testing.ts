/** `edgeproof/testing`: arbitraries, minted tokens, matchers and test doubles for tests of edge configuration. */

export type { InvalidBody } from "../testing/arbitraries/body-faults.ts";
export {
  type BrandArbitraries,
  brandArbitraries,
  type DomainQueryBody,
  type InvalidHostName,
  type LogoQueryBody,
} from "../testing/arbitraries/brand.ts";
export type { DeliveryTarget, InvalidAddress } from "../testing/arbitraries/delivery.ts";
export type { FastCheck } from "../testing/arbitraries/fast-check.ts";
export type { InvalidFilters, MetadataFilters } from "../testing/arbitraries/filters.ts";
export {
  type ImageArbitraries,
  type ImagePatchBody,
  imageArbitraries,
  type VariantBody,
} from "../testing/arbitraries/images.ts";
export {
  type AppBody,
  type ProxyArbitraries,
  proxyArbitraries,
  type WrongApp,
  type WrongFacts,
} from "../testing/arbitraries/proxy.ts";
export type {
  ConfigBody,
  ConfigPatchBody,
  RuleBody,
  RulePatchBody,
} from "../testing/arbitraries/token-bodies.ts";
export type { InvalidRequest, InvalidZone } from "../testing/arbitraries/token-faults.ts";
export {
  type TokenArbitraries,
  type TokenArbitrariesOptions,
  tokenArbitraries,
} from "../testing/arbitraries/tokens.ts";
export {
  type InvalidPicture,
  type InvalidUpload,
  type Upload,
  uploadForm,
} from "../testing/arbitraries/uploads.ts";
export {
  type ConnectQueue,
  type OpenQueue,
  type QueueContractCase,
  queueContract,
} from "../testing/contract/queue/queue-contract.ts";
export {
  type ContractCase,
  type ContractCaseWithGap,
  contractWithGaps,
  type OpenStore,
  storeContract,
} from "../testing/contract/store-contract.ts";
export {
  countingIds,
  createTestClock,
  createTestEdge,
  type TestClock,
  type TestEdge,
  type TestEdgeOptions,
  testNow,
} from "../testing/create-test-edge.ts";
export {
  type LookAlike,
  type LookAlikeKind,
  type LookAlikeOptions,
  lookAlikeKinds,
  lookAlikes,
} from "../testing/look-alikes.ts";
export {
  type ExpectedVerdict,
  type MatcherResult,
  type VerdictMatchers,
  verdictMatchers,
} from "../testing/matchers/matchers.ts";
export {
  type PictureMatchers,
  pictureMatchers,
  type RenderedPicture,
} from "../testing/matchers/picture-matchers.ts";
export {
  type FaultOptions,
  mintFaultyToken,
  type TokenFault,
  tokenFaultNames,
  tokenFaults,
} from "../testing/tokens/faults.ts";
export { fillPlaceholderTokens, type RequestWithPlaceholders } from "../testing/tokens/fill-placeholders.ts";
export { type MintedKey, type MintTokenOptions, mintKey, mintToken } from "../testing/tokens/mint.ts";
export {
  type MintedSuite,
  type MintSuiteOptions,
  mintSuite,
  type RequestWithTokens,
} from "../testing/tokens/mint-suite.ts";
