/** The schemas of image hosting parse exactly the engine's and the store's types; checked by the compiler. */
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { CompleteVariantOptions } from "../../src/engine/images/render/variant.ts";
import type {
  accountImagesWorld,
  variantCreate,
  variantOptions,
  variantPatch,
} from "../../src/schemas/images.ts";
import type { NewKey } from "../../src/service/images/delivery/key-records.ts";
import type { NewVariant } from "../../src/service/images/delivery/variant-records.ts";

type Variant = z.output<typeof variantCreate>;
/** One side may be missing, where one is enough. */
type StoredVariant = Omit<Variant, "options"> & Pick<NewVariant, "options">;
type World = z.output<typeof accountImagesWorld>;

test("variant options are the engine's", () => {
  expectTypeOf<z.output<typeof variantOptions>>().toExtend<CompleteVariantOptions>();
  expectTypeOf<CompleteVariantOptions>().toExtend<z.output<typeof variantOptions>>();
});

test("a variant of a request is the store's, without its switch", () => {
  expectTypeOf<NewVariant>().toExtend<StoredVariant>();
  expectTypeOf<Required<Variant>>().toExtend<NewVariant>();
  expectTypeOf<keyof Variant>().toEqualTypeOf<keyof NewVariant>();
  expectTypeOf<z.output<typeof variantPatch>>().toEqualTypeOf<Omit<Variant, "id">>();
});

test("a world's variants and keys are those of requests and of the store", () => {
  expectTypeOf<NonNullable<World["variants"]>[number]>().toExtend<StoredVariant>();
  expectTypeOf<StoredVariant>().toExtend<NonNullable<World["variants"]>[number]>();
  expectTypeOf<NonNullable<World["signing_keys"]>[number]>().toExtend<NewKey>();
  expectTypeOf<keyof NonNullable<World["signing_keys"]>[number]>().toEqualTypeOf<keyof NewKey>();
});
