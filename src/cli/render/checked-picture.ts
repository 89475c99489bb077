/** A picture that is checked as an upload, and rendered. */
import type { Result } from "../../core/result.ts";
import type { Rendering } from "../../engine/images/render/rendering.ts";
import type { PlannedImage } from "../../engine/images/transform/transform-image.ts";
import type { OpenedUpload } from "../../engine/images/validate-image.ts";
import type { CodedDiagnostic } from "../../errors.ts";

/** The renderings of a picture, each when it is asked for. */
export interface PictureRenderer {
  /** Maximum pixels in memory. */
  readonly pixels: number;
  /** Why the picture is rejected; asked before `render`. */
  findDamage(): Promise<CodedDiagnostic | undefined>;
  /** @param index that of the plan */
  render(index: number): Promise<Result<Rendering>>;
}

/**
 * A rendering that decodes every line finds the same damage as a decode of its own, which is left out then.
 *
 * @param upload undefined for a picture that is not uploaded
 */
export function renderChecked(
  upload: OpenedUpload | undefined,
  plans: readonly Result<PlannedImage>[],
): PictureRenderer {
  const index = upload ? plans.findIndex((plan) => plan.ok && plan.value.decodesAll) : -1;
  let checking: Result<Rendering> | undefined;
  const renderPlan = async (plan: Result<PlannedImage>) => (plan.ok ? plan.value.render() : plan);
  const { width = 0, height = 0, frames = 0 } = upload?.image ?? {};
  const planned = plans.map((plan) => (plan.ok ? plan.value.pixels : 0));
  return {
    pixels: Math.max(width * height * frames, ...planned),
    findDamage: async () => {
      const plan = plans[index];
      if (plan) checking = await renderPlan(plan);
      return checking?.ok ? undefined : upload?.findDamage();
    },
    render: async (wanted) =>
      checking && wanted === index ? checking : renderPlan(plans[wanted] as Result<PlannedImage>),
  };
}
