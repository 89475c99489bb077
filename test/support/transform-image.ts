/** Transforms an image as a plan and its rendering do. */
import type { Result } from "../../src/core/result.ts";
import type { Rendering } from "../../src/engine/images/render/rendering.ts";
import { planImage } from "../../src/engine/images/transform/transform-image.ts";

/** @returns the rendering, or the first problem of the plan or of its rendering */
export async function transformImage(...request: Parameters<typeof planImage>): Promise<Result<Rendering>> {
  const planned = await planImage(...request);
  return planned.ok ? planned.value.render() : planned;
}
