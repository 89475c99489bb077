/** Checks the image hosting of a world's accounts: keys, variants and hashes. */
import { checkKeyName } from "../../../engine/images/ids.ts";
import { checkVariantId, checkVariantOptions } from "../../../engine/images/render/variant.ts";
import { accountHash } from "../../../engine/images/signing.ts";
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
import type { AccountImagesWorld } from "../../../schemas/images.ts";
import type { CheckContext } from "../../context.ts";
import type { ParsedWorld, WorldCheck } from "../part.ts";
import { repeated } from "../repeated.ts";

/** Image hosting; uploaded images are checked when their pictures are decoded. */
export const checkImages: WorldCheck<undefined> = ({ accounts = [] }, context) => ({
  problems: [
    ...repeatedHashes(accounts),
    ...accounts.flatMap(({ images }, i) => {
      const at = pointer("accounts", i, "images");
      return images ? [...checkNames(images, at), ...checkOptions(context, images, at)] : [];
    }),
  ],
  value: undefined,
});

/** Checks the names of keys and the ids of variants: their format, and that each occurs once. */
function checkNames({ signing_keys = [], variants = [] }: AccountImagesWorld, at: string): CodedDiagnostic[] {
  const keyAt = (i: number) => `${at}${pointer("signing_keys", i, "name")}`;
  const variantAt = (i: number) => `${at}${pointer("variants", i, "id")}`;
  const names = signing_keys.map(({ name }) => name);
  const ids = variants.map(({ id }) => id);
  const wrongNames = names.map((name, i): CodedDiagnostic | undefined => {
    const wrong = checkKeyName(name);
    return wrong && { ...wrong, pointer: keyAt(i) };
  });
  const wrongIds = ids.map((id, i) => checkVariantId(id, variantAt(i)));
  return [
    ...[...wrongNames, ...wrongIds].filter((wrong) => wrong !== undefined),
    ...repeated(names, keyAt),
    ...repeated(ids, variantAt),
  ];
}

/** Both sides are required unless one is enough. */
function checkOptions(
  { settings }: CheckContext,
  { variants = [] }: AccountImagesWorld,
  at: string,
): CodedDiagnostic[] {
  const complete = settings.variantSides === "both";
  return variants.flatMap(({ options }, i) =>
    checkVariantOptions(options, { complete, at: `${at}${pointer("variants", i, "options")}` }),
  );
}

/** A delivery address could not distinguish two accounts with the same hash. */
function repeatedHashes(accounts: NonNullable<ParsedWorld["accounts"]>): CodedDiagnostic[] {
  if (!accounts.some(({ images }) => images)) return [];
  const hashes = accounts.map(({ id, images }) => images?.account_hash ?? accountHash(id));
  return repeated(hashes, (i) => pointer("accounts", i, "images", "account_hash"));
}
