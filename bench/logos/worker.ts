/** A process of the evaluation: renders logos, transforms them and describes the pictures. */

import { runSteps } from "../../src/core/work/steps.ts";
import { regionHit } from "../../src/engine/logo/box.ts";
import { decodeLogo } from "../../src/engine/logo/decode/decode.ts";
import { compileDetector, type Detector } from "../../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../../src/engine/logo/dense/search-picture.ts";
import { describeLogo } from "../../src/engine/logo/describe.ts";
import { type LogoRole, readLogoDescriptor } from "../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../src/engine/logo/features/compare.ts";
import { betterHit } from "../../src/engine/logo/find-logos.ts";
import type { Half, Logo } from "./collection.ts";
import { plain, png, render, transformationsOf } from "./transformations.ts";

/** The task of a process. */
export interface WorkerTask {
  readonly half: Half;
  readonly seed: number;
  readonly logos: readonly Logo[];
  /** Colors of other brands, one a logo. */
  readonly otherColors: readonly string[];
}

/** A transformed picture of a logo. */
export interface DescribedScan {
  readonly transformation: string;
  /** Its descriptor. */
  readonly bytes: Uint8Array;
  /** The score of both searches for the logo. */
  readonly bothScore: number;
}

/** The descriptors of a logo and of its transformed pictures. */
export interface DescribedLogo {
  readonly name: string;
  readonly query: Uint8Array;
  /** The query of the control: the logo on its background with the usual padding, which suits the control better. */
  readonly controlQuery: Uint8Array;
  readonly scans: readonly DescribedScan[];
  /** Transformations in which the logo would not be visible. */
  readonly invisible: readonly string[];
}

async function describe(image: Buffer, role: LogoRole): Promise<Uint8Array> {
  const outcome = await describeLogo(image, { role });
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value.bytes;
}

async function decode(image: Buffer, role: LogoRole) {
  const outcome = await decodeLogo(image, role);
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value;
}

/** The score of both searches. */
async function scoreOfBoth(query: Uint8Array, detector: Detector, image: Buffer, bytes: Uint8Array) {
  const scan = readLogoDescriptor(bytes);
  const { score, region } = compareLogos(readLogoDescriptor(query), scan);
  const { matches } = runSteps(searchSteps(await decode(image, "scan"), [detector]));
  return betterHit(regionHit(score, region, scan), matches[0], scan).score;
}

async function describeAll(task: WorkerTask, logo: Logo, otherColor: string): Promise<DescribedLogo> {
  const art = await render(logo.name, logo.svg, logo.color, otherColor);
  const detector = compileDetector(await decode(art.png, "query"));
  const query = await describe(art.png, "query");
  const scans: DescribedScan[] = [];
  const invisible: string[] = [];
  for (const [transformation, transform] of Object.entries(transformationsOf(task.half))) {
    const image = await transform(art, task.seed);
    if (!image) {
      invisible.push(transformation);
      continue;
    }
    const bytes = await describe(image, "scan");
    scans.push({ transformation, bytes, bothScore: await scoreOfBoth(query, detector, image, bytes) });
  }
  const controlQuery = await describe(await png(await plain(art)), "query");
  return { name: logo.name, query, controlQuery, scans, invisible };
}

process.on("message", async (task: WorkerTask) => {
  for (const [i, logo] of task.logos.entries()) {
    const described = await describeAll(task, logo, task.otherColors[i]!);
    await new Promise((sent) => process.send!(described, sent));
  }
  process.disconnect();
});
