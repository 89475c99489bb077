/** Describes a half of the collection in several processes. */

import { fork } from "node:child_process";
import sharp from "sharp";
import { describeLogo } from "../../src/engine/logo/describe.ts";
import { chance, chooseLogos, type Half, type Logo } from "./collection.ts";
import { picturesWithoutLogo } from "./layouts.ts";
import type { DescribedLogo, WorkerTask } from "./worker.ts";

/** A described half. */
export interface PreparedHalf {
  readonly half: Half;
  readonly logos: readonly DescribedLogo[];
  /** Pictures without a logo. */
  readonly withoutLogo: readonly Uint8Array[];
}

/** The size of an evaluation. */
export interface EvaluationSize {
  readonly seed: number;
  /** Logos of each half. */
  readonly logos: number;
  readonly workers: number;
}

export async function prepareHalf(
  half: Half,
  { seed, logos, workers }: EvaluationSize,
): Promise<PreparedHalf> {
  const chosen = chooseLogos(half, logos, seed);
  const colors = chosen.map((logo) => otherColor(chosen, logo, seed));
  const parts = Array.from({ length: workers }, (_, w) =>
    chosen.map((_, i) => i).filter((i) => i % workers === w),
  );
  const progress = { done: 0, of: chosen.length };
  const described = await Promise.all(
    parts.map((part) =>
      runWorker(
        { half, seed, logos: part.map((i) => chosen[i]!), otherColors: part.map((i) => colors[i]!) },
        () => report(half, progress),
      ),
    ),
  );
  const all = described.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
  return { half, logos: all, withoutLogo: await Promise.all(picturesWithoutLogo(half).map(describeSvg)) };
}

function report(half: Half, progress: { done: number; of: number }): void {
  progress.done++;
  if (process.stderr.isTTY)
    process.stderr.write(`\r${half}: ${progress.done} of ${progress.of} logos described `);
}

/** The color of another brand. The first seed string is part of the published evaluation. */
function otherColor(logos: readonly Logo[], logo: Logo, seed: number): string {
  return logos[Math.floor(chance(seed, "colour", logo.name) * logos.length)]!.color;
}

function runWorker(task: WorkerTask, onLogo: () => void): Promise<DescribedLogo[]> {
  return new Promise((resolve, reject) => {
    const found: DescribedLogo[] = [];
    const worker = fork(new URL("./worker.ts", import.meta.url), {
      execArgv: ["--import", "tsx"],
      serialization: "advanced",
    });
    worker.on("message", (logo: DescribedLogo) => {
      found.push(logo);
      onLogo();
    });
    worker.on("error", reject);
    worker.on("exit", (code) =>
      code === 0 ? resolve(found) : reject(new Error(`A worker ended with code ${code}.`)),
    );
    worker.send(task);
  });
}

async function describeSvg(svg: string): Promise<Uint8Array> {
  const outcome = await describeLogo(await sharp(Buffer.from(svg)).png().toBuffer(), { role: "scan" });
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value.bytes;
}
