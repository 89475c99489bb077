/** A process of the evaluation: renders logos, transforms them and describes the pictures. */

import { describeLogo } from "../../src/engine/logo/describe.ts";
import type { LogoRole } from "../../src/engine/logo/descriptor.ts";
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

/** The descriptors of a logo and of its transformed pictures. */
export interface DescribedLogo {
  readonly name: string;
  readonly query: Uint8Array;
  /** The query of the control: the logo on its background with the usual padding, which suits the control better. */
  readonly controlQuery: Uint8Array;
  readonly scans: readonly { readonly transformation: string; readonly bytes: Uint8Array }[];
  /** Transformations in which the logo would not be visible. */
  readonly invisible: readonly string[];
}

async function describe(image: Buffer, role: LogoRole): Promise<Uint8Array> {
  const outcome = await describeLogo(image, { role });
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value.bytes;
}

async function describeAll(task: WorkerTask, logo: Logo, otherColor: string): Promise<DescribedLogo> {
  const art = await render(logo.name, logo.svg, logo.color, otherColor);
  const scans: { transformation: string; bytes: Uint8Array }[] = [];
  const invisible: string[] = [];
  for (const [transformation, transform] of Object.entries(transformationsOf(task.half))) {
    const image = await transform(art, task.seed);
    if (image) scans.push({ transformation, bytes: await describe(image, "scan") });
    else invisible.push(transformation);
  }
  const query = await describe(art.png, "query");
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
