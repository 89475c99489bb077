/** `edgeproof images render`: renders files through variants, as delivery does. */

import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { renderVariant } from "../../engine/images/render/render.ts";
import {
  checkVariantOptions,
  defaultFit,
  defaultMetadata,
  type VariantOptions,
} from "../../engine/images/render/variant.ts";
import { contentTypes, type ImageType } from "../../engine/images/sniff.ts";
import { validateImage } from "../../engine/images/validate-image.ts";
import { formatJson, type Io, UsageError } from "../command.ts";
import type { render } from "../declarations/images.ts";
import type { InvocationOf, OptionsOf } from "../declare.ts";
import { readInput } from "../input/files.ts";
import { isFolder } from "../output/atomic-write.ts";
import { describeFile, runFolder } from "../render/run-folder.ts";
import { isSamePath } from "../render/safe-folders.ts";
import { readVariantsFile } from "../render/variants-file.ts";

export async function run({ options, words, io }: InvocationOf<typeof render>): Promise<number> {
  const [from = "", to = ""] = words;
  if (await isSeveral(options, from)) return runSeveral(options, from, to, io);
  const variant = readVariant(options);
  const bytes = await readInput(from, io);
  const validated = await validateImage(bytes);
  if (!validated.ok) throw new UsageError(`${from}: ${validated.problems[0].message}`);
  const accept = options.accept ?? acceptFor(to, validated.value.type);
  const rendering = await renderVariant(bytes, variant, { accept });
  if (!rendering.ok) throw new UsageError(`${from}: ${rendering.problems[0].message}`);
  const { contentType, width, height, frames } = rendering.value;
  assertExtension(to, contentType);
  if (await isSamePath(to, from)) throw new UsageError(`${to} is the input; choose another file name`);
  await write(to, rendering.value.bytes);
  const facts = { contentType, width, height, frames, bytes: rendering.value.bytes.byteLength };
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
  const variants =
    file === undefined
      ? [{ name: undefined, options: readVariant(options) }]
      : await readVariantsFile(file, io);
  const golden = folder === undefined ? undefined : { folder, update, prune, tolerance };
  const job = { from, to, variants, accept: options.accept, all, golden };
  return runFolder(job, options, io);
}

function readVariant(options: OptionsOf<typeof render>): VariantOptions {
  const { fit = defaultFit, metadata = defaultMetadata, width, height } = options;
  const variant = {
    fit,
    metadata,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
  const [problem] = checkVariantOptions(variant, { complete: false });
  if (problem) throw new UsageError(asClause(problem.message));
  return variant;
}

/** Types by extension. */
const typesByExtension: Readonly<Record<string, ImageType>> = {
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
  ".png": "png",
  ".gif": "gif",
  ".webp": "webp",
  ".avif": "avif",
  ".svg": "svg",
};

/** Delivery produces AVIF, WebP or the original's own type. @throws {UsageError} */
function acceptFor(path: string, type: ImageType): string | undefined {
  const wanted = typeOfPath(path);
  if (wanted === type) return undefined;
  if (type !== "svg" && (wanted === "avif" || wanted === "webp")) return contentTypes[wanted];
  const allowed = type === "svg" ? "SVG" : `AVIF, WebP or ${type.toUpperCase()}`;
  throw new UsageError(`${path}: a ${type.toUpperCase()} image is delivered only as ${allowed}`);
}

function typeOfPath(path: string): ImageType {
  const extension = extname(path).toLowerCase();
  const type = Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
  if (type) return type;
  throw new UsageError(`${path}: the name must end in ${Object.keys(typesByExtension).join(", ")}`);
}

/** A large image or an animation is never AVIF, so the extension may not match. @throws {UsageError} */
function assertExtension(path: string, contentType: string): void {
  if (contentTypes[typeOfPath(path)] === contentType) return;
  throw new UsageError(
    `${path}: this image is delivered as ${contentType}; choose a file name with its extension`,
  );
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${(error as Error).message}`);
  }
}

/** A sentence as a message of the command line: without a capital letter at its start and without a full stop. */
function asClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}
