/** `edgeproof images render`: renders files through variants as delivery does, or by options as an address of a transformation. */

import { extname } from "node:path";
import { isFolder } from "../../core/files/folders.ts";
import { replaceFile } from "../../core/files/write-file.ts";
import { lowerFirst } from "../../core/text/sentence.ts";
import { checkVariantOptions, defaultFit, defaultMetadata } from "../../engine/images/render/variant.ts";
import { contentTypes } from "../../engine/images/sniff.ts";
import { type OpenedUpload, openUpload } from "../../engine/images/validate-image.ts";
import { formatJson, type Io, UsageError } from "../command.ts";
import type { render } from "../declarations/images.ts";
import type { InvocationOf, OptionsOf } from "../declare.ts";
import { readInput } from "../input/files.ts";
import { renderChecked } from "../render/checked-picture.ts";
import { type NamedVariant, transformationOf, variantOf } from "../render/named-variant.ts";
import { describeFile, runFolder } from "../render/run-folder.ts";
import { isSamePath } from "../render/safe-folders.ts";
import { readVariantsFile } from "../render/variants-file.ts";

export async function run({ options, words, io }: InvocationOf<typeof render>): Promise<number> {
  const [from = "", to = ""] = words;
  if (await isSeveral(options, from)) return runSeveral(options, from, to, io);
  const bytes = await readInput(from, io);
  const variant = readVariant(options);
  const wanted = typeOfPath(to);
  const upload =
    options.accept === undefined && variant.isOfUploads ? await openAccepted(from, bytes) : undefined;
  const accept = options.accept ?? (upload ? acceptOfUpload(upload, to) : wanted);
  const picture = renderChecked(upload, [await variant.plan(bytes, accept)]);
  const damage = await picture.findDamage();
  if (damage) throw new UsageError(`${from}: ${damage.message}`);
  const rendering = await picture.render(0);
  if (!rendering.ok) throw new UsageError(`${from}: ${rendering.problems[0].message}`);
  const { contentType, width, height, frames, warnings } = rendering.value;
  if (wanted !== contentType) throw otherType(to, contentType);
  if (await isSamePath(to, from)) throw new UsageError(`${to} is the input; choose another file name`);
  await replaceFile(to, rendering.value.bytes);
  const facts = { contentType, width, height, frames, bytes: rendering.value.bytes.byteLength, warnings };
  io.stdout.write(
    options.json ? formatJson({ file: to, ...facts }) : `${describeFile({ name: to, ...facts })}\n`,
  );
  return 0;
}

/** Whether an option is given that a single file does not have, or the input is a folder. */
async function isSeveral(
  { variants, html, check, update }: OptionsOf<typeof render>,
  from: string,
): Promise<boolean> {
  if (update || [variants, html, check].some((value) => value !== undefined)) return true;
  return isFolder(from);
}

async function runSeveral(
  options: OptionsOf<typeof render>,
  from: string,
  to: string,
  io: Io,
): Promise<number> {
  const { variants: file, check: folder, update, prune, tolerance, all } = options;
  const variants = file === undefined ? [readVariant(options)] : await readVariantsFile(file, io);
  if (folder !== undefined && !variants.every(({ isPicture }) => isPicture))
    throw new UsageError("--check compares pictures, and format=json describes them; give only one of them");
  const golden = folder === undefined ? undefined : { folder, update, prune, tolerance };
  const job = { from, to, variants, accept: options.accept, all, golden };
  return runFolder(job, options, io);
}

/** @throws {UsageError} */
function readVariant(options: OptionsOf<typeof render>): NamedVariant {
  if (options.options !== undefined) return transformationOf(options.options);
  const { fit = defaultFit, metadata = defaultMetadata, width, height } = options;
  if (width === undefined && height === undefined)
    throw new UsageError("the size is missing: set --width, --height, --options or --variants");
  const variant = {
    fit,
    metadata,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
  const [problem] = checkVariantOptions(variant, { complete: false });
  if (problem) throw new UsageError(asClause(problem.message));
  return variantOf(undefined, variant);
}

/** Media types by extension. */
const typesByExtension: Readonly<Record<string, string>> = {
  ".jpg": contentTypes.jpeg,
  ".jpeg": contentTypes.jpeg,
  ".png": contentTypes.png,
  ".gif": contentTypes.gif,
  ".webp": contentTypes.webp,
  ".avif": contentTypes.avif,
  ".svg": contentTypes.svg,
  ".json": "application/json",
};

/** @throws {UsageError} for a file that is rejected before it is decoded */
async function openAccepted(from: string, bytes: Uint8Array): Promise<OpenedUpload> {
  const opened = await openUpload(bytes);
  if (opened.ok) return opened.value;
  throw new UsageError(`${from}: ${opened.problems[0].message}`);
}

/** Delivery produces AVIF, WebP or the original's own type. @throws {UsageError} */
function acceptOfUpload({ image: { type } }: OpenedUpload, to: string): string | undefined {
  const wanted = typeOfPath(to);
  if (wanted === contentTypes[type]) return undefined;
  if (type !== "svg" && (wanted === contentTypes.avif || wanted === contentTypes.webp)) return wanted;
  const allowed = type === "svg" ? "SVG" : `AVIF, WebP or ${type.toUpperCase()}`;
  throw new UsageError(`${to}: a ${type.toUpperCase()} image is delivered only as ${allowed}`);
}

/** @throws {UsageError} */
function typeOfPath(path: string): string {
  const extension = extname(path).toLowerCase();
  const type = Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
  if (type) return type;
  throw new UsageError(`${path}: the name must end in ${Object.keys(typesByExtension).join(", ")}`);
}

/** A large image or an animation is never AVIF, so the extension may not match. */
function otherType(path: string, contentType: string): UsageError {
  return new UsageError(
    `${path}: this image is delivered as ${contentType}; choose a file name with its extension`,
  );
}

/** A sentence as a message of the command line: without a capital letter at its start and without a full stop. */
function asClause(sentence: string): string {
  return lowerFirst(sentence).replace(/\.$/, "");
}
