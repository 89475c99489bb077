/** Logo similarity: describe pictures, compare them, search among many. */

export { compareLogos, type LogoComparison } from "./compare.ts";
export { type DecodeLimits, defaultMaxBytes, defaultMaxPixels } from "./decode.ts";
export { type DescribeOptions, type DescribeOutcome, describeLogo, describeRaster } from "./describe.ts";
export { type LogoDescriptor, type LogoRole, readLogoDescriptor } from "./descriptor.ts";
export type { LogoId } from "./gate-table.ts";
export type { Raster } from "./picture.ts";
export {
  createLogoIndex,
  type LogoIndex,
  type LogoIndexOptions,
  type LogoLoader,
  type LogoMatch,
  type LogoSearchOptions,
} from "./search-index.ts";
export type { Region, View } from "./views.ts";
