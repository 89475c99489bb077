/** An image option without one of its members does not compile. */
import { test } from "vitest";
import type { Fit, VariantOption } from "../../../../src/engine/images/render/variant.ts";
import { choice, integer } from "../../../../src/engine/images/transform/values.ts";

test("an option has all members, and a default among its values", () => {
  // @ts-expect-error: `help` is missing
  const width: VariantOption<number> = { kind: integer(1, 2), usual: undefined, stored: "required" };
  const kind = choice("pad");
  // @ts-expect-error: `fill` is not a fit
  const fit: VariantOption<Fit> = { kind, usual: "fill", stored: "required", help: "The fit." };
  void [width, fit];
});
