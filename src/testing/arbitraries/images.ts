/** Random input of image hosting for property tests: valid, and wrong in exactly one way. */
import type { Arbitrary } from "fast-check";
import {
  type CompleteVariantOptions,
  fits,
  maxBoxSide,
  metadataModes,
} from "../../engine/images/render/variant.ts";
import { breakBody, type InvalidBody, type MemberFault } from "./body-faults.ts";
import { type DeliveryTarget, delivery, type WrongAddress, wrongDelivery } from "./delivery.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";
import { type MetadataFilters, metadataFilters, type WrongFilters, wrongMetadataFilters } from "./filters.ts";
import {
  directUpload,
  picture,
  type Upload,
  upload,
  type WrongPicture,
  type WrongUpload,
  wrongDirectUpload,
  wrongPicture,
  wrongUpload,
} from "./uploads.ts";

/** The body of a variant to create, as a client sends it. */
export interface VariantBody {
  readonly id: string;
  readonly options: CompleteVariantOptions;
  readonly neverRequireSignedURLs?: boolean;
}

/** The body that changes an image. */
export interface ImagePatchBody {
  readonly creator?: string;
  readonly metadata?: unknown;
  readonly requireSignedURLs?: boolean;
}

/** Arbitraries of every input of image hosting. */
export interface ImageArbitraries {
  /** The bytes of an acceptable image of any type. */
  readonly picture: Arbitrary<Uint8Array>;
  readonly wrongPicture: Arbitrary<WrongPicture>;
  readonly variantOptions: Arbitrary<CompleteVariantOptions>;
  readonly variant: Arbitrary<VariantBody>;
  readonly wrongVariant: Arbitrary<InvalidBody>;
  /** The body that changes a variant. */
  readonly variantPatch: Arbitrary<Omit<VariantBody, "id">>;
  readonly wrongVariantPatch: Arbitrary<InvalidBody>;
  /** The body that changes an image. */
  readonly imagePatch: Arbitrary<ImagePatchBody>;
  readonly wrongImagePatch: Arbitrary<InvalidBody>;
  /** `uploadForm` makes the form that is sent. */
  readonly upload: Arbitrary<Upload>;
  readonly wrongUpload: Arbitrary<WrongUpload>;
  /** The form that asks for an upload address at this time, in milliseconds since 1970. */
  directUpload(nowMs: number): Arbitrary<Upload>;
  wrongDirectUpload(nowMs: number): Arbitrary<WrongUpload>;
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
  const variantPatch = variant.map(({ id: _, ...rest }) => rest);
  const imagePatch: Arbitrary<ImagePatchBody> = fc.record(
    {
      creator: fc.constantFrom("", "ada", "ü".repeat(1_024)),
      metadata: fc
        .jsonValue({ maxDepth: 2 })
        .filter((value) => Buffer.byteLength(JSON.stringify(value)) <= 500),
      requireSignedURLs: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  return {
    picture: picture(fc),
    wrongPicture: wrongPicture(fc),
    variantOptions,
    variant,
    wrongVariant: wrongVariants(fc, variant, variantFaults),
    variantPatch,
    wrongVariantPatch: wrongVariants(
      fc,
      variantPatch,
      variantFaults.filter(({ member }) => member !== "id"),
    ),
    imagePatch,
    wrongImagePatch: fc
      .tuple(imagePatch, fc.constantFrom(...imagePatchFaults))
      .map(([body, fault]) => breakBody(body, fault, code)),
    upload: upload(fc),
    wrongUpload: wrongUpload(fc),
    directUpload: (nowMs) => directUpload(fc, nowMs),
    wrongDirectUpload: (nowMs) => wrongDirectUpload(fc, nowMs),
    metadataFilters: metadataFilters(fc),
    wrongMetadataFilters: wrongMetadataFilters(fc),
    delivery: (target) => delivery(fc, target),
    wrongDelivery: (target) => wrongDelivery(fc, target),
  };
}

/** A body with a fault in one of its members, or in one of its options. */
function wrongVariants(
  fc: FastCheck,
  bodies: Arbitrary<Omit<VariantBody, "id">>,
  faults: readonly MemberFault[],
): Arbitrary<InvalidBody> {
  return fc.oneof(
    fc.tuple(bodies, fc.constantFrom(...faults)).map(([body, fault]) => breakBody(body, fault, code)),
    fc.tuple(bodies, fc.constantFrom(...optionFaults)).map(([body, fault]) => breakOptions(body, fault)),
  );
}

const imagePatchFaults: readonly MemberFault[] = [
  { member: "creator", value: 7 },
  { member: "creator", value: "c".repeat(1_025) },
  { member: "metadata", value: "x".repeat(1_023) },
  { member: "requireSignedURLs", value: "true" },
];

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
function breakOptions(body: Omit<VariantBody, "id">, fault: MemberFault): InvalidBody {
  const { body: options, pointer } = breakBody(body.options, fault, code);
  return { body: { ...body, options }, code, pointer: `/options${pointer}` };
}
