/** An image option without one of its members does not compile. */
import { test } from "vitest";
import type { VariantOption } from "../../../../src/engine/images/render/variant.ts";

test("an option has all members, and a default among its values", () => {
  // @ts-expect-error: `help` is missing
  const width: VariantOption<"width"> = { min: 1, max: 2, usual: undefined, stored: "required" };
  // @ts-expect-error: `fill` is not a fit
  const fit: VariantOption<"fit"> = { values: [], usual: "fill", stored: "required", help: "The fit." };
  void [width, fit];
});
