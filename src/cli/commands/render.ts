/** `edgeproof render`: renders files through variants, as delivery does. */
import { stat, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { renderVariant } from "../../engine/images/render/render.ts";
import {
  checkVariantOptions,
  defaultFit,
  defaultMetadata,
  fits,
  metadataModes,
  type VariantOptions,
} from "../../engine/images/render/variant.ts";
import { contentTypes, type ImageType } from "../../engine/images/sniff.ts";
import { validateImage } from "../../engine/images/validate-image.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  choiceOption,
  formatJson,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../command.ts";
import { readInput } from "../input/files.ts";
import { acceptOptions } from "../output/report/formats.ts";
import { runFolder } from "../render/run-folder.ts";
import { readVariantsFile } from "../render/variants-file.ts";

export const render: CommandDefinition = {
  about: [
    "Works like a request for a delivered image: the file is validated as an upload, rendered with the options of the variant, and encoded for the Accept header. A file that would be rejected is rejected with the reason.",
    "Of a folder, or with --variants, --html or --check, <out> is a folder: every picture, those of subfolders included, is rendered through every variant, several at a time. The outputs keep their folders, and are named after the variant. With --check, pictures are compared with approved ones by their perceptual difference, alpha included; another size, a missing file, or an approved picture that no input of the folder has, fails.",
  ],
  positionals: "<file or folder> <out>",
  options: {
    fit: { type: "string", value: "fit", help: `One of ${fits.join(", ")}. Default ${defaultFit}.` },
    width: { type: "string", value: "pixels", help: "Width of the box. Default: follows the height." },
    height: { type: "string", value: "pixels", help: "Height of the box. Default: follows the width." },
    metadata: {
      type: "string",
      value: "mode",
      help: `One of ${metadataModes.join(", ")}. Default ${defaultMetadata}.`,
    },
    accept: {
      type: "string",
      value: "types",
      help: "The request's Accept header. Default: the type of <out>, by its extension; of a folder, none.",
    },
    variants: {
      type: "string",
      value: "file",
      help: "Variants by name, as JSON or YAML, instead of the options of one.",
    },
    html: { type: "string", value: "file", help: "Also write a page with the pictures before and after." },
    check: {
      type: "string",
      value: "folder",
      help: "Compare the outputs with the approved pictures in a folder.",
    },
    update: {
      type: "boolean",
      help: "With --check: write the approved pictures that differ or are missing.",
    },
    ...acceptOptions,
    ...jsonOption,
  },
  exits: {
    0: "The files were written, and with --check look like the approved ones.",
    1: "Of a folder or with --check: a file was rejected, differs from the approved one, or has none; an approved one was not rendered; or there was no picture to check.",
    2: "A file or an option cannot be used; standard error says why.",
    130: "Stopped (Ctrl-C); the files until then are written, and no page.",
  },
  examples: [
    "edgeproof render photos/ out/ --variants variants.json --html contact-sheet.html",
    "edgeproof render photos/ out/ --variants variants.json --check golden/ --update",
    "edgeproof render in.jpg out.webp --fit cover --width 256 --height 256",
    "edgeproof render in.jpg out.jpg --width 800 --metadata copyright",
    "edgeproof render in.png out.avif --width 800 --accept 'image/avif,image/webp'",
  ],
  run: runRender,
};

async function runRender(input: CommandInput, io: Io): Promise<number> {
  const [from, to] = readPaths(input);
  if (await isSeveral(input, from)) return runSeveral(input, from, to, io);
  const options = readOptions(input);
  const bytes = await readInput(from, io);
  const validated = await validateImage(bytes);
  if (!validated.ok) throw new UsageError(`${from}: ${validated.problems[0].message}`);
  const accept = stringOption(input, "accept") ?? acceptFor(to, validated.value.type);
  const rendering = await renderVariant(bytes, options, { accept });
  if (!rendering.ok) throw new UsageError(`${from}: ${rendering.problems[0].message}`);
  const { contentType, width, height, frames } = rendering.value;
  assertExtension(to, contentType);
  await write(to, rendering.value.bytes);
  const outcome = { file: to, contentType, width, height, frames, bytes: rendering.value.bytes.byteLength };
  io.stdout.write(booleanOption(input, "json") ? formatJson(outcome) : printOutcome(outcome));
  return 0;
}

/** The options that a single file does not have. */
const severalOptions = ["variants", "html", "check", "update"] as const;

async function isSeveral({ values }: CommandInput, from: string): Promise<boolean> {
  if (severalOptions.some((name) => values[name] !== undefined)) return true;
  return stat(from).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function runSeveral(input: CommandInput, from: string, to: string, io: Io): Promise<number> {
  const file = stringOption(input, "variants");
  const given = ["fit", "width", "height", "metadata"].find((name) => input.values[name] !== undefined);
  if (file !== undefined && given !== undefined)
    throw new UsageError(`--variants replaces --${given}; give only one of them`);
  const folder = stringOption(input, "check");
  const update = booleanOption(input, "update");
  if (update && folder === undefined) throw new UsageError("--update needs --check with a folder");
  const variants =
    file === undefined
      ? [{ name: undefined, options: readOptions(input) }]
      : await readVariantsFile(file, io);
  const golden = folder === undefined ? undefined : { folder, update };
  const job = { from, to, variants, accept: stringOption(input, "accept"), golden };
  const allowEmpty = booleanOption(input, "allow-empty");
  const output = { json: booleanOption(input, "json"), html: stringOption(input, "html"), allowEmpty };
  return runFolder(job, output, io);
}

function printOutcome(outcome: Readonly<Record<string, string | number>>): string {
  const { file, contentType, width, height, frames, bytes } = outcome;
  const animated = frames === 1 ? "" : `, ${frames} frames`;
  return `${file}: ${contentType}, ${width} x ${height} pixels${animated}, ${bytes} bytes\n`;
}

function readPaths({ positionals }: CommandInput): [from: string, to: string] {
  const [from, to] = positionals;
  if (from !== undefined && to !== undefined && positionals.length === 2) return [from, to];
  throw new UsageError(
    "expected the file or folder to read and the one to write: `edgeproof render in.jpg out.webp`",
  );
}

function readOptions(input: CommandInput): VariantOptions {
  const width = readPixels(input, "width");
  const height = readPixels(input, "height");
  const options = {
    fit: choiceOption(input, "fit", fits, defaultFit),
    metadata: choiceOption(input, "metadata", metadataModes, defaultMetadata),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
  const [problem] = checkVariantOptions(options, { complete: false });
  if (problem) throw new UsageError(asClause(problem.message));
  return options;
}

function readPixels(input: CommandInput, name: "width" | "height"): number | undefined {
  const value = stringOption(input, name);
  if (value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} must be a number of pixels; found \`${value}\``);
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
