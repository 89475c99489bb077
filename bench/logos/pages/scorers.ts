/** The methods that are evaluated: each scores every queried logo against a picture. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runSteps } from "../../../src/core/work/steps.ts";
import { decodeLogo } from "../../../src/engine/logo/decode/decode.ts";
import { denseScore } from "../../../src/engine/logo/dense/dense-score.ts";
import {
  calibrationFloor,
  calibrationShare,
  plainSilhouette,
} from "../../../src/engine/logo/dense/dense-tuning.ts";
import { calibrationCost, compileDetector, type Detector } from "../../../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../../../src/engine/logo/dense/search-picture.ts";
import { describeLogo } from "../../../src/engine/logo/describe.ts";
import { type LogoDescriptor, readLogoDescriptor } from "../../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../../src/engine/logo/features/compare.ts";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { cacheFolder } from "./cache.ts";

/** A method, by name. */
export interface PageScorer {
  readonly name: string;
  /** Another one whenever its values may change: values are cached by it. Undefined: never cached. */
  readonly version?: string;
  /** Describes the queried logos: PNG files with transparency. */
  prepare(logos: readonly Uint8Array[]): Promise<PreparedScorer>;
}

/** A method with its queried logos. */
export interface PreparedScorer {
  /** The values of the logos in a picture, which are cached. `key` identifies the picture, for caches. */
  values(picture: Uint8Array, key: string): Promise<Float64Array>;
  /** The score of each logo, from the values of a picture. */
  scoresOf(values: Float64Array): Float64Array;
}

const engine = new URL("../../../src/engine/logo/", import.meta.url).pathname;

/** A hash of source files and folders of the engine, by their content. */
export function codeHash(...paths: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) for (const file of readdirSync(path).sort()) add(join(path, file));
    else hash.update(readFileSync(path));
  };
  for (const path of paths) add(join(engine, path));
  return hash.digest("hex").slice(0, 12);
}

/** The settings that descriptors depend on. The scale and the costs of a comparison may change without describing again. */
function descriptorVersion(): string {
  const tuning = readFileSync(join(engine, "tuning.ts"), "utf8");
  const used = tuning.replace(
    /(?<=export const )(commonShapeCost|fullSpread|lowSpreadCost|aspectCost|\w*[cC]op\w+|scoreBreakpoints)[^;]*;/g,
    "",
  );
  const features = readdirSync(join(engine, "features")).filter((file) => !/compare|copies|scale/.test(file));
  const code = codeHash(
    "decode",
    "regions",
    "describe.ts",
    "descriptor.ts",
    ...features.map((f) => `features/${f}`),
  );
  return createHash("sha256").update(used).update(code).digest("hex").slice(0, 12);
}

/** The dense search without its calibration and its scale. */
function denseVersion(): string {
  const files = readdirSync(join(engine, "dense")).filter((file) => !/score|tuning|calibration/.test(file));
  const tuning = readFileSync(join(engine, "dense", "dense-tuning.ts"), "utf8");
  const used = tuning
    .replace(
      /(?<=export const )(denseBreakpoints|detectorVersion|calibration\w+|plainSilhouette|textAllowance)[^;]*;/g,
      "",
    )
    .replace(/\/\*\*[\s\S]*?\*\//g, "");
  const code = codeHash("decode", ...files.map((file) => `dense/${file}`));
  return createHash("sha256").update(used).update(code).digest("hex").slice(0, 12);
}

/** A value below that of every place. */
const noPlace = -2;

/** Descriptors of regions: what is stored of a picture and compared with later queries. */
export function regionScorer(): PageScorer {
  const folder = join(cacheFolder(), "descriptors", descriptorVersion());
  mkdirSync(folder, { recursive: true });
  const describe = async (bytes: Uint8Array, role: "query" | "scan", key: string) => {
    const file = join(folder, `${role}-${key}.bin`);
    if (existsSync(file)) return readLogoDescriptor(readFileSync(file));
    const outcome = await describeLogo(bytes, { role });
    if (!outcome.ok) throw new Error(outcome.problems[0].message);
    writeFileSync(file, outcome.value.bytes);
    return outcome.value;
  };
  return {
    name: "regions",
    async prepare(logos) {
      const queries: LogoDescriptor[] = [];
      for (const png of logos) {
        queries.push(
          await describe(png, "query", createHash("sha256").update(png).digest("hex").slice(0, 16)),
        );
      }
      return {
        async values(picture, key) {
          const scan = await describe(picture, "scan", key);
          return Float64Array.from(queries, (query) => compareLogos(query, scan).score);
        },
        scoresOf: (scores) => scores,
      };
    },
  };
}

/** The templates of each kind as a detector whose values all have the smallest cost of the calibration, `minCost`. */
function uncalibrated({ templates, calibration: { version } }: Detector): readonly Detector[] {
  return (["full", "silhouette"] as const).map((kind) => ({
    templates: templates.filter((template) => template.kind === kind),
    calibration: { version, full: 0, silhouette: 0, textFull: 0, textSilhouette: 0 },
  }));
}

const minCost = calibrationShare * calibrationFloor;

/**
 * The search of every place, at a score of its own and without the colors of logos; `bothScorer` has them.
 *
 * @param rotations also search for the logos rotated by about 16 degrees
 */
export function denseScorer(rotations = false): PageScorer {
  const decoded = async (bytes: Uint8Array, role: "query" | "scan") => {
    const outcome = await decodeLogo(bytes, role);
    if (!outcome.ok) throw new Error(outcome.problems[0].message);
    return outcome.value;
  };
  return {
    name: rotations ? "dense with rotations" : "dense",
    version: rotations ? `rotations-${denseVersion()}` : denseVersion(),
    async prepare(logos) {
      const detectors: Detector[] = [];
      for (const png of logos) detectors.push(compileDetector(await decoded(png, "query"), { rotations }));
      const byKind = detectors.flatMap(uncalibrated);
      return {
        async values(picture) {
          const { matches } = runSteps(searchSteps(await decoded(picture, "scan"), byKind));
          return Float64Array.from(matches, (match) => (match ? match.value + minCost : noPlace));
        },
        scoresOf: (values) =>
          Float64Array.from(detectors, ({ calibration }, i) => {
            const full = (values[2 * i] ?? noPlace) - calibrationCost(calibration, "full");
            const silhouette = (values[2 * i + 1] ?? noPlace) - calibrationCost(calibration, "silhouette");
            const isPlain = calibration.silhouette >= plainSilhouette;
            return denseScore(isPlain ? full : Math.max(full, silhouette));
          }),
      };
    },
  };
}

/** The scores of `findLogos`: the better one of both searches. */
function bothScorer(): PageScorer {
  return {
    name: "both",
    async prepare(logos) {
      const compiled: CompiledLogo[] = [];
      for (const png of logos) {
        const outcome = await compileLogo(png);
        if (!outcome.ok) throw new Error(outcome.problems[0].message);
        compiled.push(outcome.value);
      }
      return {
        async values(picture) {
          const outcome = await findLogos(picture, compiled);
          if (!outcome.ok) throw new Error(outcome.problems[0].message);
          return Float64Array.from(outcome.value.findings, ({ score }) => score);
        },
        scoresOf: (scores) => scores,
      };
    },
  };
}

/** The methods by name. */
export const scorers: Readonly<Record<string, () => PageScorer>> = {
  regions: regionScorer,
  dense: () => denseScorer(),
  both: bothScorer,
  rotations: () => denseScorer(true),
};
