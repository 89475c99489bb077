/** Random input of image hosting for property tests: valid, or with exactly one fault. */
import type { Arbitrary } from "fast-check";
import { maxCreatorLength } from "../../engine/images/ids.ts";
import { maxMetadataBytes } from "../../engine/images/metadata/metadata.ts";
import {
  type CompleteVariantOptions,
  maxVariantIdLength,
  variantOptions as options,
} from "../../engine/images/render/variant.ts";
import { addFault, type InvalidBody, type MemberFault } from "./body-faults.ts";
import { type DeliveryTarget, delivery, type InvalidAddress, invalidDelivery } from "./delivery.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";
import {
  type InvalidFilters,
  invalidMetadataFilters,
  type MetadataFilters,
  metadataFilters,
} from "./filters.ts";
import {
  directUpload,
  type InvalidPicture,
  type InvalidUpload,
  invalidDirectUpload,
  invalidPicture,
  invalidUpload,
  metadataText,
  picture,
  type Upload,
  upload,
} from "./uploads.ts";

/** The body of a variant to create, as a client sends it. */
export interface VariantBody {
  /** 1 to 99 characters of `A-Z a-z 0-9 _ -`. */
  readonly id: string;
  /** All four options. */
  readonly options: CompleteVariantOptions;
  /** Whether delivery through the variant needs no signature even for images that require one. */
  readonly neverRequireSignedURLs?: boolean;
}

/** The body that changes an image. */
export interface ImagePatchBody {
  /** At most 1,024 characters. */
  readonly creator?: string;
  /** At most 1,024 bytes of JSON. */
  readonly metadata?: unknown;
  /** Whether delivery requires a signature. */
  readonly requireSignedURLs?: boolean;
}

/** Arbitraries of every input of image hosting. */
export interface ImageArbitraries {
  /** The bytes of an acceptable image of any type. */
  readonly picture: Arbitrary<Uint8Array>;
  /** Files that are rejected as images. */
  readonly invalidPicture: Arbitrary<InvalidPicture>;
  /** The options of a variant. */
  readonly variantOptions: Arbitrary<CompleteVariantOptions>;
  /** The body of a variant to create. */
  readonly variant: Arbitrary<VariantBody>;
  /** The same with one fault. */
  readonly invalidVariant: Arbitrary<InvalidBody>;
  /** The body that changes a variant. */
  readonly variantPatch: Arbitrary<Omit<VariantBody, "id">>;
  /** The same with one fault. */
  readonly invalidVariantPatch: Arbitrary<InvalidBody>;
  /** The body that changes an image. */
  readonly imagePatch: Arbitrary<ImagePatchBody>;
  /** The same with one fault. */
  readonly invalidImagePatch: Arbitrary<InvalidBody>;
  /** An upload; `uploadForm` builds its form. */
  readonly upload: Arbitrary<Upload>;
  /** The same with one fault. */
  readonly invalidUpload: Arbitrary<InvalidUpload>;
  /** The form that requests an upload address at a time, in milliseconds since 1970. */
  directUpload(nowMs: number): Arbitrary<Upload>;
  /** The same with one fault. */
  invalidDirectUpload(nowMs: number): Arbitrary<InvalidUpload>;
  /** Filters of a list, with metadata that passes them. */
  readonly metadataFilters: Arbitrary<MetadataFilters>;
  /** Filters with one fault. */
  readonly invalidMetadataFilters: Arbitrary<InvalidFilters>;
  /** Addresses that deliver an image. */
  delivery(target: DeliveryTarget): Arbitrary<string>;
  /** Addresses with one fault. */
  invalidDelivery(target: DeliveryTarget): Arbitrary<InvalidAddress>;
}

/** The code of a rejected body (`observed`). */
const code = 5400;

/**
 * Creates the arbitraries. fast-check is a parameter, not an import, so that it stays optional.
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
  const variantOptions = fc.record(
    Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionValues(fc, option)])),
    { requiredKeys: requiredOptions },
  ) as Arbitrary<unknown> as Arbitrary<CompleteVariantOptions>;
  const variant: Arbitrary<VariantBody> = fc
    .tuple(
      fc.record({
        id: fc.constantFrom("thumb", "hero_2x", "A-1", "v".repeat(maxVariantIdLength)),
        options: variantOptions,
      }),
      fc.record({ neverRequireSignedURLs: fc.boolean() }, { requiredKeys: [] }),
    )
    .map(([required, rest]) => ({ ...required, ...rest }));
  const variantPatch = variant.map(({ id: _, ...rest }) => rest);
  const imagePatch: Arbitrary<ImagePatchBody> = fc.record(
    {
      creator: fc.constantFrom("", "ada", "ü".repeat(maxCreatorLength)),
      metadata: metadataText(fc).map((text) => JSON.parse(text)),
      requireSignedURLs: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  return {
    picture: picture(fc),
    invalidPicture: invalidPicture(fc),
    variantOptions,
    variant,
    invalidVariant: invalidVariants(fc, variant, variantFaults),
    variantPatch,
    invalidVariantPatch: invalidVariants(
      fc,
      variantPatch,
      variantFaults.filter(({ member }) => member !== "id"),
    ),
    imagePatch,
    invalidImagePatch: fc
      .tuple(imagePatch, fc.constantFrom(...imagePatchFaults))
      .map(([body, fault]) => addFault(body, fault, code)),
    upload: upload(fc),
    invalidUpload: invalidUpload(fc),
    directUpload: (nowMs) => directUpload(fc, nowMs),
    invalidDirectUpload: (nowMs) => invalidDirectUpload(fc, nowMs),
    metadataFilters: metadataFilters(fc),
    invalidMetadataFilters: invalidMetadataFilters(fc),
    delivery: (target) => delivery(fc, target),
    invalidDelivery: (target) => invalidDelivery(fc, target),
  };
}

/** A body with a fault in one of its members, or in one of its options. */
function invalidVariants(
  fc: FastCheck,
  bodies: Arbitrary<Omit<VariantBody, "id">>,
  faults: readonly MemberFault[],
): Arbitrary<InvalidBody> {
  return fc.oneof(
    fc.tuple(bodies, fc.constantFrom(...faults)).map(([body, fault]) => addFault(body, fault, code)),
    fc.tuple(bodies, fc.constantFrom(...optionFaults)).map(([body, fault]) => breakOptions(body, fault)),
  );
}

const imagePatchFaults: readonly MemberFault[] = [
  { member: "creator", value: 7 },
  { member: "creator", value: "c".repeat(maxCreatorLength + 1) },
  { member: "metadata", value: "x".repeat(maxMetadataBytes - 1) },
  { member: "requireSignedURLs", value: "true" },
];

const variantFaults: readonly MemberFault[] = [
  { member: "id", value: undefined },
  { member: "id", value: 1 },
  { member: "id", value: "" },
  { member: "id", value: "thumb nail" },
  { member: "id", value: "v".repeat(maxVariantIdLength + 1) },
  { member: "options", value: undefined },
  { member: "options", value: "cover" },
  { member: "neverRequireSignedURLs", value: "yes" },
];

/** An entry of the table of options. */
type Option = (typeof options)[keyof typeof options];

/** The values of an option: of integers small ones, which are rendered soon, and the bounds. */
function optionValues(fc: FastCheck, { kind }: Option): Arbitrary<string | number> {
  if ("values" in kind) return fc.constantFrom<string[]>(...kind.values);
  const { min, max } = kind;
  return fc.oneof(
    fc.integer({ min, max: Math.max(min, Math.min(max, 64)) }),
    fc.constantFrom(min, Math.trunc(max / 3), max),
  );
}

/** Values that an option does not have. */
function wrongValues({ kind }: Option): readonly unknown[] {
  if ("values" in kind) return ["fill", String(kind.values[0]).toUpperCase()];
  const { min, max } = kind;
  const fraction = kind.isInteger ? [min + 0.5] : [];
  return [min - 1, -1, ...fraction, max + 1, "256", null];
}

/** The names of the options that a stored variant must have. */
const requiredOptions = Object.entries(options).flatMap(([name, { stored }]) =>
  stored === "required" ? [name] : [],
);

const optionFaults: readonly MemberFault[] = [
  ...Object.entries(options).flatMap(([member, option]) =>
    [...(option.stored === "required" ? [undefined] : []), ...wrongValues(option)].map(
      (value): MemberFault => ({ member, value }),
    ),
  ),
  { member: "quality", value: 80 },
];

/** The body with a fault in its options. */
function breakOptions(body: Omit<VariantBody, "id">, fault: MemberFault): InvalidBody {
  const { body: options, pointer } = addFault(body.options, fault, code);
  return { body: { ...body, options }, code, pointer: `/options${pointer}` };
}
