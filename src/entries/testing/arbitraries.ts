/** `edgeproof/testing/arbitraries`: the part of `edgeproof/testing` with the random input of each area, for fast-check. */

export { type BrandArbitraries, brandArbitraries } from "../../testing/arbitraries/brand.ts";
export type { FastCheck } from "../../testing/arbitraries/fast-check.ts";
export { type ImageArbitraries, imageArbitraries } from "../../testing/arbitraries/images.ts";
export { type ProxyArbitraries, proxyArbitraries } from "../../testing/arbitraries/proxy.ts";
export {
  type TokenArbitraries,
  type TokenArbitrariesOptions,
  tokenArbitraries,
} from "../../testing/arbitraries/tokens.ts";
export { type Upload, uploadForm } from "../../testing/arbitraries/uploads.ts";
