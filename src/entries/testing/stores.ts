/** `edgeproof/testing/stores`: the part of `edgeproof/testing` with the contract of stores, for those who write one. */

export {
  type ContractCase,
  type ContractCaseWithGap,
  contractWithGaps,
  type OpenStore,
  storeContract,
} from "../../testing/contract/store-contract.ts";
