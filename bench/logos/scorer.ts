/** The scorer that is evaluated: `findLogos`. */

import type { PixelBox } from "../../src/engine/logo/box.ts";
import { type CompiledLogo, compileLogo, findLogos } from "../../src/engine/logo/find-logos.ts";

/** The best place of a logo in a picture; more members are written with `--values`. */
export interface Hit {
  readonly score: number;
  readonly box?: PixelBox | undefined;
}

/** Prepares PNG files of logos; the result searches a picture for them. */
export type Scorer = (
  logos: readonly Uint8Array[],
) => Promise<(picture: Uint8Array) => Promise<readonly Hit[]>>;

const scorer: Scorer = async (logos) => {
  const compiled: CompiledLogo[] = [];
  for (const png of logos) {
    const outcome = await compileLogo(png);
    if (!outcome.ok) throw new Error(outcome.problems[0].message);
    compiled.push(outcome.value);
  }
  return async (picture) => {
    const outcome = await findLogos(picture, compiled);
    if (!outcome.ok) throw new Error(outcome.problems[0].message);
    return outcome.value.findings;
  };
};

export default scorer;
