/** `edgeproof images render` with folders or several variants: every file through every variant, several files at a time. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { formatNumber } from "../../core/format-count.ts";
import type { Result } from "../../core/result.ts";
import { createSemaphore } from "../../core/semaphore.ts";
import { imageLimits } from "../../engine/images/limits.ts";
import type { Rendering } from "../../engine/images/render/rendering.ts";
import { openUpload } from "../../engine/images/validate-image.ts";
import { createDecodingMemory, type DecodingMemory } from "../../service/images/decoding-memory.ts";
import { defaultLimits } from "../../service/limits.ts";
import { type Io, UsageError } from "../command.ts";
import { pictureFiles, readPictureFile } from "../input/picture-files.ts";
import { createProgressLine } from "../output/progress.ts";
import { type PictureRenderer, renderChecked } from "./checked-picture.ts";
import { checkGolden, type GoldenFolder, type GoldenOutcome, writeInto } from "./golden.ts";
import type { NamedVariant } from "./named-variant.ts";
import { createOutputNames, extensionOf, findCollision, type OutputNames } from "./output-names.ts";
import { isSamePath } from "./safe-folders.ts";

/** The inputs of a rendering. */
export interface RenderJob {
  /** A file or a folder. */
  readonly from: string;
  /** The folder to write to. */
  readonly to: string;
  readonly variants: readonly NamedVariant[];
  /** The request's `Accept` header. */
  readonly accept: string | undefined;
  /** Whether hidden files and folders, and links out of the folder, are rendered too. */
  readonly all: boolean;
  readonly golden: GoldenFolder | undefined;
}

/** One file through one variant. */
export interface RenderOutcome {
  /** Path of the original. */
  readonly source: string;
  readonly variant: string | undefined;
  /** Name of the file in the output folder, and facts about it; absent when it was rejected. */
  readonly rendered?: RenderedFile;
  readonly check?: GoldenOutcome;
  /** Why the file was rejected. */
  readonly problem?: string;
}

export interface RenderedFile {
  readonly name: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly bytes: number;
  /** Options without an effect, or with another one. */
  readonly warnings: readonly string[];
}

/** Pictures in folders, those that will be rejected included, so that they are reported. */
export const extensions = /\.(png|jpe?g|webp|gif|avif|svg|heic|heif|tiff?|bmp|ico|psd|jxl|jp2)$/i;

/** The outcomes of a run, and the files behind them. */
export interface FolderRun {
  /** In the order of the files; those until then after a stop. */
  readonly outcomes: readonly RenderOutcome[];
  readonly names: OutputNames;
  /** All pictures that were found. */
  readonly files: readonly string[];
  /** Hidden entries and links out of the folder. */
  readonly leftOut: readonly string[];
}

/** @throws {UsageError} when there is no picture and nothing to compare with, or two outputs would have one name */
export async function renderFolder(job: RenderJob, io: Io): Promise<FolderRun> {
  io.onInputFile?.(job.from);
  const leftOut: string[] = [];
  const onLeftOut = job.all ? {} : { onLeftOut: (path: string) => leftOut.push(path) };
  const files = await pictureFiles([job.from], io.signal, { wanted: extensions, ...onLeftOut });
  if (files.length === 0 && !job.golden && !io.signal.aborted)
    throw new UsageError(`there are no pictures in ${job.from}${leftOutNote(leftOut)}`);
  const root = files.length === 1 && files[0] === job.from ? undefined : job.from;
  const names = createOutputNames(root, files);
  assertDistinct(job, names, files);
  // Two files for each core: while one is read or written, another one is rendered.
  const workers = createSemaphore(2 * availableParallelism());
  const memory = createDecodingMemory(defaultLimits);
  const progress = createProgressLine(io.stderr);
  let done = 0;
  const outcomes = await Promise.all(
    files.map((file) =>
      workers.run(async () => {
        if (io.signal.aborted) return [];
        const rendered = await renderFile(job, file, names, memory);
        progress.update(`${formatNumber(++done)} of ${formatNumber(files.length)} pictures`);
        return rendered;
      }),
    ),
  );
  progress.end();
  return { outcomes: outcomes.flat(), names, files, leftOut };
}

/** How many entries were left out, as a clause; empty for none. */
export function leftOutNote(leftOut: readonly string[]): string {
  if (leftOut.length === 0) return "";
  return `; hidden entries and links out of the folder left out: ${formatNumber(leftOut.length)} (--all reads them)`;
}

function assertDistinct({ variants }: RenderJob, names: OutputNames, files: readonly string[]): void {
  const collision = findCollision(
    names,
    files,
    variants.map(({ name }) => name),
  );
  if (!collision) return;
  const [first, second] = collision.outputs;
  throw new UsageError(
    `${first} and ${second} would both be written as ${collision.name}; rename a file or a variant`,
  );
}

async function renderFile(
  job: RenderJob,
  file: string,
  names: OutputNames,
  memory: DecodingMemory,
): Promise<readonly RenderOutcome[]> {
  const rejected = (problem: string) =>
    job.variants.map(({ name }) => ({ source: file, variant: name, problem }));
  const picture = await openFile(file, job);
  if (typeof picture === "string") return rejected(picture);
  return memory.run(picture.pixels, async () => {
    const damage = await picture.findDamage();
    if (damage) return rejected(damage.message);
    const outcomes: RenderOutcome[] = [];
    for (const [index, { name }] of job.variants.entries())
      outcomes.push(await writeOne(job, { source: file, variant: name }, await picture.render(index), names));
    return outcomes;
  });
}

/** The picture, or why the file would be rejected as an upload, or as a source, before it is decoded. */
async function openFile(file: string, { variants, accept }: RenderJob): Promise<PictureRenderer | string> {
  try {
    const areUploads = variants.some(({ isOfUploads }) => isOfUploads);
    const maxBytes = areUploads ? imageLimits.uploadBytes : defaultLimits.imageSourceBytes;
    const bytes = await readPictureFile(file, maxBytes);
    const upload = areUploads ? await openUpload(bytes) : undefined;
    if (upload && !upload.ok) return upload.problems[0].message;
    return renderChecked(upload?.value, await Promise.all(variants.map(({ plan }) => plan(bytes, accept))));
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

async function writeOne(
  { to, golden }: RenderJob,
  outcome: Pick<RenderOutcome, "source" | "variant">,
  rendering: Result<Rendering>,
  names: OutputNames,
): Promise<RenderOutcome> {
  const { source: file, variant } = outcome;
  if (!rendering.ok) return { ...outcome, problem: rendering.problems[0].message };
  const { bytes, contentType, width, height, frames, warnings } = rendering.value;
  const output = { file, variant, extension: extensionOf(contentType) };
  const name = names.nameOf(output);
  const path = join(to, name);
  if (await isSamePath(path, file)) return { ...outcome, problem: "its output would replace the original" };
  await writeInto(path, bytes);
  const rendered = { name, contentType, width, height, frames, bytes: bytes.byteLength, warnings };
  return {
    ...outcome,
    rendered,
    ...(golden && {
      check: await checkGolden(golden, { name, earlier: names.earlierNameOf(output) }, bytes),
    }),
  };
}
