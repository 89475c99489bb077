/** Random input of image hosting for property tests: valid, and wrong in exactly one way. */
import type { Arbitrary } from "fast-check";
import { type CompleteVariantOptions, fits, maxBoxSide, metadataModes } from "../engine/images/index.ts";
import { breakBody, type MemberFault, type WrongBody } from "./body-faults.ts";
import { type DeliveryTarget, delivery, type WrongAddress, wrongDelivery } from "./delivery-arbitraries.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";
import {
  type MetadataFilters,
  metadataFilters,
  type WrongFilters,
  wrongMetadataFilters,
} from "./filter-arbitraries.ts";
import {
  picture,
  type Upload,
  upload,
  type WrongPicture,
  type WrongUpload,
  wrongPicture,
  wrongUpload,
} from "./upload-arbitraries.ts";

/** The body of a variant to create, as a client sends it. */
export interface VariantBody {
  readonly id: string;
  readonly options: CompleteVariantOptions;
  readonly neverRequireSignedURLs?: boolean;
}

/** Arbitraries of every input of image hosting. */
export interface ImageArbitraries {
  /** The bytes of an acceptable image of any type. */
  readonly picture: Arbitrary<Uint8Array>;
  readonly wrongPicture: Arbitrary<WrongPicture>;
  readonly variantOptions: Arbitrary<CompleteVariantOptions>;
  readonly variant: Arbitrary<VariantBody>;
  readonly wrongVariant: Arbitrary<WrongBody>;
  /** `uploadForm` makes the form that is sent. */
  readonly upload: Arbitrary<Upload>;
  readonly wrongUpload: Arbitrary<WrongUpload>;
  readonly metadataFilters: Arbitrary<MetadataFilters>;
  readonly wrongMetadataFilters: Arbitrary<WrongFilters>;
  /** Addresses that give an image that is there. */
  delivery(target: DeliveryTarget): Arbitrary<string>;
  wrongDelivery(target: DeliveryTarget): Arbitrary<WrongAddress>;
}

/** The code of a variant that is refused (`observed`). */
const code = 5400;

/**
 * Makes the arbitraries. fast-check is given, not imported, so that nobody needs it who does not use it.
 *
 * @example
 * ```ts
 * const fc = await import("fast-check");
 * const { variantOptions } = imageArbitraries(fc);
 * fc.sample(variantOptions, 20).flatMap((options) => checkVariantOptions(options, { complete: true })); // => []
 * ```
 */
export function imageArbitraries(fc: FastCheck): ImageArbitraries {
  assertFastCheck(fc, "imageArbitraries");
  const side = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.constantFrom(1, 4_000, maxBoxSide));
  const variantOptions: Arbitrary<CompleteVariantOptions> = fc.record({
    fit: fc.constantFrom(...fits),
    width: side,
    height: side,
    metadata: fc.constantFrom(...metadataModes),
  });
  const variant: Arbitrary<VariantBody> = fc
    .tuple(
      fc.record({ id: fc.constantFrom("thumb", "hero_2x", "A-1", "v".repeat(99)), options: variantOptions }),
      fc.record({ neverRequireSignedURLs: fc.boolean() }, { requiredKeys: [] }),
    )
    .map(([required, rest]) => ({ ...required, ...rest }));
  return {
    picture: picture(fc),
    wrongPicture: wrongPicture(fc),
    variantOptions,
    variant,
    wrongVariant: fc.oneof(
      fc
        .tuple(variant, fc.constantFrom(...variantFaults))
        .map(([body, fault]) => breakBody(body, fault, code)),
      fc.tuple(variant, fc.constantFrom(...optionFaults)).map(([body, fault]) => breakOptions(body, fault)),
    ),
    upload: upload(fc),
    wrongUpload: wrongUpload(fc),
    metadataFilters: metadataFilters(fc),
    wrongMetadataFilters: wrongMetadataFilters(fc),
    delivery: (target) => delivery(fc, target),
    wrongDelivery: (target) => wrongDelivery(fc, target),
  };
}

const variantFaults: readonly MemberFault[] = [
  { member: "id", value: undefined },
  { member: "id", value: 1 },
  { member: "id", value: "" },
  { member: "id", value: "thumb nail" },
  { member: "id", value: "v".repeat(100) },
  { member: "options", value: undefined },
  { member: "options", value: "cover" },
  { member: "neverRequireSignedURLs", value: "yes" },
];

const optionFaults: readonly MemberFault[] = [
  { member: "fit", value: undefined },
  { member: "fit", value: "fill" },
  { member: "fit", value: "COVER" },
  { member: "metadata", value: undefined },
  { member: "metadata", value: "all" },
  ...["width", "height"].flatMap((member) =>
    [undefined, 0, -1, 1.5, maxBoxSide + 1, "256", null].map((value): MemberFault => ({ member, value })),
  ),
  { member: "quality", value: 80 },
];

/** The body with a fault in its options. */
function breakOptions(body: VariantBody, fault: MemberFault): WrongBody {
  const { body: options, pointer } = breakBody(body.options, fault, code);
  return { body: { ...body, options }, code, pointer: `/options${pointer}` };
}
