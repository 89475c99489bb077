/** The matcher for approved pictures, for `expect.extend`. It does not import a test runner. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Result } from "../../core/result.ts";
import { comparePictures } from "../../engine/images/compare/compare-pictures.ts";
import type { Rendering } from "../../engine/images/render/rendering.ts";
import type { MatcherResult } from "./matchers.ts";

/** The matcher of `expect(rendered)`. */
export interface PictureMatchers<R = unknown> {
  /**
   * The picture looks like the approved one in a file; a relative path starts at the folder of the test file. A missing
   * file fails; vitest writes it with `-u`.
   */
  toMatchPicture(path: string): Promise<R>;
}

/** A picture: its bytes, a rendering, or the result of `renderVariant`. */
export type RenderedPicture = Uint8Array | Pick<Rendering, "bytes"> | Result<Rendering>;

/** The part of the test runner's state that is read. */
interface RunnerState {
  readonly testPath?: string | undefined;
  readonly snapshotState?: { readonly _updateSnapshot?: string; readonly snapshotUpdateState?: string };
}

/**
 * The matcher: `expect.extend(pictureMatchers)`, then `await expect(rendered).toMatchPicture("golden/x.webp")`. Pictures
 * are compared by their perceptual difference, alpha included; another size or number of frames always fails.
 *
 * For its types in vitest 4 and 5, add `PictureMatchers<void>` as `VerdictMatchers` is added.
 *
 * @example
 * ```ts
 * const { pass } = await pictureMatchers.toMatchPicture(new Uint8Array(), "golden/missing.webp");
 * pass; // => false
 * ```
 */
export const pictureMatchers = {
  async toMatchPicture(this: unknown, received: RenderedPicture, path: string): Promise<MatcherResult> {
    const { testPath, snapshotState } = (this ?? {}) as RunnerState;
    const bytes = readPicture(received);
    if (typeof bytes === "string") return failed(bytes);
    const file = resolve(testPath === undefined ? "." : dirname(testPath), path);
    const mode = snapshotState?.snapshotUpdateState ?? snapshotState?._updateSnapshot;
    if (mode === "all") return write(file, bytes);
    const golden = await readGolden(file);
    if (!golden) return failed(`the approved picture ${file} does not exist; write it with \`-u\``);
    const { isSame, reason } = await comparePictures(bytes, golden);
    return { pass: isSame, message: () => `${file}: ${reason}` };
  },
};

/** The bytes, or the reason why they are missing. */
function readPicture(received: RenderedPicture): Uint8Array | string {
  if (received instanceof Uint8Array) return received;
  if ("ok" in received) return received.ok ? received.value.bytes : received.problems[0].message;
  return received.bytes;
}

/** Leaves a file alone that already looks like the picture. */
async function write(file: string, bytes: Uint8Array): Promise<MatcherResult> {
  const golden = await readGolden(file);
  const isSame = golden !== undefined && (await comparePictures(bytes, golden)).isSame;
  if (!isSame) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  return { pass: true, message: () => `${file}: the picture was written` };
}

/** @throws {Error} for a file that exists and cannot be read */
async function readGolden(file: string): Promise<Uint8Array | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

function failed(reason: string): MatcherResult {
  return { pass: false, message: () => reason };
}
