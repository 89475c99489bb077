/** `edgeproof/testing/tokens`: the part of `edgeproof/testing` for token rules: keys, tokens, faults and matchers. It loads nothing else. */

export {
  type NamedSuiteRequest,
  type NamedToken,
  resolveSuite,
} from "../../engine/tokens/names/suite-names.ts";
export { type VerdictMatchers, verdictMatchers } from "../../testing/matchers/matchers.ts";
export {
  type FaultOptions,
  mintFaultyToken,
  type TokenFault,
  tokenFaultNames,
  tokenFaults,
} from "../../testing/tokens/faults.ts";
export { fillPlaceholderTokens } from "../../testing/tokens/fill-placeholders.ts";
export { type MintedKey, type MintTokenOptions, mintKey, mintToken } from "../../testing/tokens/mint.ts";
export {
  type MintedSuite,
  type MintSuiteOptions,
  mintSuite,
  type RequestWithTokens,
} from "../../testing/tokens/mint-suite.ts";
