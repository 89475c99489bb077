/** `edgeproof/testing`: arbitraries, minted tokens, matchers and test doubles for tests of edge configuration. */

// Test doubles and matchers

export {
  createTestClock,
  createTestEdge,
  type TestClock,
  type TestEdge,
  type TestEdgeOptions,
} from "../testing/create-test-edge.ts";
export { type VerdictMatchers, verdictMatchers } from "../testing/matchers/matchers.ts";
export { type PictureMatchers, pictureMatchers } from "../testing/matchers/picture-matchers.ts";

// Keys and tokens

export { resolveSuite } from "../engine/tokens/names/suite-names.ts";
export {
  type FaultOptions,
  mintFaultyToken,
  type TokenFault,
  tokenFaultNames,
  tokenFaults,
} from "../testing/tokens/faults.ts";
export { type MintedKey, type MintTokenOptions, mintKey, mintToken } from "../testing/tokens/mint.ts";
export { type MintedSuite, type MintSuiteOptions, mintSuite } from "../testing/tokens/mint-suite.ts";

// Arbitraries and contracts

export type { NamedSuiteRequest, NamedToken } from "../engine/tokens/names/suite-names.ts";
export { type BrandArbitraries, brandArbitraries } from "../testing/arbitraries/brand.ts";
export type { FastCheck } from "../testing/arbitraries/fast-check.ts";
export { type ImageArbitraries, imageArbitraries } from "../testing/arbitraries/images.ts";
export { type ProxyArbitraries, proxyArbitraries } from "../testing/arbitraries/proxy.ts";
export {
  type TokenArbitraries,
  type TokenArbitrariesOptions,
  tokenArbitraries,
} from "../testing/arbitraries/tokens.ts";
export { type Upload, uploadForm } from "../testing/arbitraries/uploads.ts";
export {
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
export { countingIds, testNow } from "../testing/create-test-edge.ts";
export { type LookAlike, type LookAlikeOptions, lookAlikeKinds, lookAlikes } from "../testing/look-alikes.ts";
export { fillPlaceholderTokens } from "../testing/tokens/fill-placeholders.ts";
export type { RequestWithTokens } from "../testing/tokens/mint-suite.ts";
