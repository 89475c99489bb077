/** The heavy computations about logos: describing and compiling pictures, and searching them. */
import { type Result, success } from "../../../core/result.ts";
import { runStepsAsync } from "../../../core/work/steps.ts";
import { type DecodeLimits, decodeLogo } from "../../../engine/logo/decode/decode.ts";
import type { Raster } from "../../../engine/logo/decode/picture.ts";
import { compileSteps, type DenseCalibration } from "../../../engine/logo/dense/detector.ts";
import { type DenseMatch, searchSteps } from "../../../engine/logo/dense/search-picture.ts";
import { describeSteps } from "../../../engine/logo/describe.ts";
import type { LogoRole } from "../../../engine/logo/descriptor.ts";
import type { StopSignal, Task } from "../../compute.ts";
import { openDetector, type PackedDetector, packDetector, toShared } from "./packed-detector.ts";

/** An image file, and the limits for decoding it. */
interface PictureFile {
  readonly bytes: Uint8Array;
  readonly limits: DecodeLimits;
}

/** Decodes and describes a picture. */
export const describePicture = {
  name: "describePicture",
  run: async ({ bytes, limits, role }, signal) => {
    const decoded = await decodeLogo(bytes, role, limits);
    if (!decoded.ok) return decoded;
    const descriptor = await runStepsAsync(describeSteps(decoded.value, role), signal);
    return success({ descriptor: descriptor.bytes, raster: decoded.value });
  },
  share: (described) => {
    if (!described.ok) return described;
    const { descriptor, raster } = described.value;
    return success({ descriptor, raster: { ...raster, data: toShared(raster.data) } });
  },
} as const satisfies Task<
  PictureFile & { readonly role: LogoRole },
  Result<{ readonly descriptor: Uint8Array; readonly raster: Raster }>
>;

/** A described logo, ready to search for. */
interface PackedLogo {
  /** The bytes of its descriptor. */
  readonly descriptor: Uint8Array;
  readonly detector: PackedDetector;
}

/** Decodes, describes and compiles a queried logo. */
export const compilePicture = {
  name: "compilePicture",
  run: async ({ bytes, limits }, signal) => {
    const decoded = await decodeLogo(bytes, "query", limits);
    if (!decoded.ok) return decoded;
    const { bytes: descriptor } = await runStepsAsync(describeSteps(decoded.value, "query"), signal);
    const detector = packDetector(await runStepsAsync(compileSteps(decoded.value), signal));
    return success({ descriptor, detector });
  },
} as const satisfies Task<PictureFile, Result<PackedLogo>>;

/** Compiles a logo that was described before, with its stored calibration numbers. */
export const compileStored = {
  name: "compileStored",
  run: async ({ bytes, limits, calibration }, signal) => {
    const decoded = await decodeLogo(bytes, "query", limits);
    if (!decoded.ok) return undefined;
    return packDetector(await runStepsAsync(compileSteps(decoded.value, { calibration }), signal));
  },
} as const satisfies Task<
  PictureFile & { readonly calibration: DenseCalibration | undefined },
  PackedDetector | undefined
>;

/** The best places of logos in a decoded picture, in the order of the logos. */
export const searchRaster = {
  name: "searchRaster",
  run: async ({ raster, detectors }, signal) => findPlaces(raster, detectors, signal),
} as const satisfies Task<
  { readonly raster: Raster; readonly detectors: readonly (PackedDetector | undefined)[] },
  readonly (DenseMatch | undefined)[]
>;

/** The best place of a logo in an image file; undefined for a file that cannot be decoded. */
export const searchFile = {
  name: "searchFile",
  run: async ({ bytes, limits, detector }, signal) => {
    const decoded = await decodeLogo(bytes, "scan", limits);
    if (!decoded.ok) return undefined;
    const [match] = await findPlaces(decoded.value, [detector], signal);
    return match;
  },
} as const satisfies Task<PictureFile & { readonly detector: PackedDetector }, DenseMatch | undefined>;

async function findPlaces(
  raster: Raster,
  packed: readonly (PackedDetector | undefined)[],
  signal: StopSignal | undefined,
): Promise<readonly (DenseMatch | undefined)[]> {
  const detectors = packed.map((detector) => (detector ? openDetector(detector) : noDetector));
  return (await runStepsAsync(searchSteps(raster, detectors), signal)).matches;
}

const noDetector = {
  templates: [],
  calibration: { version: 0, full: 0, silhouette: 0, textFull: 0, textSilhouette: 0 },
};
