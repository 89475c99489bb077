/** `edgeproof/testing/stores`: the part of `edgeproof/testing` with the contract of stores, for those who write one. */

export { contractWithGaps, type OpenStore, storeContract } from "../../testing/contract/store-contract.ts";
