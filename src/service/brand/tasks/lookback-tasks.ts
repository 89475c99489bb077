/** The heavy computations of lookbacks: comparing stored pictures with a logo as a whole, and ranking them for the dense search. */

import { runStepsAsync } from "../../../core/work/steps.ts";
import { searchedLogos, searchedTemplates } from "../../../engine/logo/dense/detector.ts";
import { searchSketchSteps, sketchTemplates } from "../../../engine/logo/dense/search-sketch.ts";
import { readSketch } from "../../../engine/logo/dense/sketch.ts";
import { readLogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { compareWhole } from "../../../engine/logo/features/compare.ts";
import { rankPictures } from "../../../engine/logo/rank-pictures.ts";
import type { Task } from "../../compute.ts";
import { openDetector, type PackedDetector } from "./packed-detector.ts";

/** A stored picture that was compared as a whole. */
export interface ComparedScan {
  /** The score as a whole, 0 to 1. */
  readonly whole: number;
  readonly width: number;
  readonly height: number;
  /** 64 hexadecimal digits. */
  readonly blockHash: string;
}

/** The best cosines of the templates of a logo in one picture. */
type Scores = Float32Array;

/** Compares stored pictures with a logo as a whole, and searches their sketches. Results are in the order of the pictures. */
export const compareScans = {
  name: "compareScans",
  run: async ({ target, detector, descriptors }, signal) => {
    const query = readLogoDescriptor(target);
    const templates = sketchTemplates(searchedLogos(openDetector(detector)).flatMap(searchedTemplates));
    const compared: (ComparedScan | undefined)[] = [];
    const scores: Scores[] = [];
    for (const bytes of descriptors) {
      signal?.throwIfAborted();
      const scan = bytes && readLogoDescriptor(bytes);
      compared.push(scan && { ...sizeAndHash(scan), whole: compareWhole(query, scan) });
      const levels = scan && templates.length > 0 ? readSketch(scan.sketch) : [];
      scores.push(await runStepsAsync(searchSketchSteps(levels, templates), signal));
    }
    return { compared, ranked: templates.length > 0 ? rankPictures(scores) : [] };
  },
} as const satisfies Task<
  {
    /** The descriptor of the logo. */
    readonly target: Uint8Array;
    readonly detector: PackedDetector;
    /** Undefined for a picture that was deleted, or cannot be decoded any more. */
    readonly descriptors: readonly (Uint8Array | undefined)[];
  },
  {
    readonly compared: readonly (ComparedScan | undefined)[];
    /** The numbers of the pictures, the most similar first; none for a logo that is not searched densely. */
    readonly ranked: readonly number[];
  }
>;

function sizeAndHash({ width, height, blockHash }: Omit<ComparedScan, "whole">): Omit<ComparedScan, "whole"> {
  return { width, height, blockHash };
}
