/** The matcher for approved pictures, for `expect.extend`. It does not import a test runner. */

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { anyValue, optionsOf, requireArgument } from "../../core/arguments.ts";
import { createFolder } from "../../core/files/folders.ts";
import { replaceFile } from "../../core/files/write-file.ts";
import type { Result } from "../../core/result.ts";
import { isTolerance, maxTolerance } from "../../core/tolerance.ts";
import { comparePictures } from "../../engine/images/compare/compare-pictures.ts";
import type { Rendering } from "../../engine/images/render/rendering.ts";
import { quote } from "../../errors.ts";
import type { MatcherResult } from "./matchers.ts";
import { isResponse, readPictureResponse } from "./picture-response.ts";

/** The matcher of `expect(rendered)` and `expect(response)`. */
export interface PictureMatchers<R = unknown> {
  /**
   * The picture looks like the approved one in a file; a relative path starts at the folder of the test file. A missing
   * file fails, also after `.not`; vitest writes it with `-u`. `tolerance` is a factor of the maximum differences, 0 (the
   * pixels must be equal) to 20, 1 by default.
   */
  toMatchPicture(path: string, options?: { readonly tolerance?: number }): Promise<R>;
}

/** A picture: its bytes, a rendering, the result of `renderVariant`, or a response whose body was not read. */
export type RenderedPicture = Uint8Array | Pick<Rendering, "bytes"> | Result<Rendering> | Response;

const pictureOptions = optionsOf<{ readonly tolerance?: number }>("toMatchPicture", { tolerance: anyValue });

/** The part of the test runner's state that is read. */
interface RunnerState {
  readonly testPath?: string | undefined;
  readonly isNot?: boolean;
  readonly snapshotState?: { readonly _updateSnapshot?: string; readonly snapshotUpdateState?: string };
}

/**
 * The matcher: `expect.extend(pictureMatchers)`, then `await expect(rendered).toMatchPicture("golden/x.webp")`. Pictures
 * are compared by their perceptual difference, alpha included; another size, number of frames, timing or loop always
 * fails. Without two pictures to compare it fails, also after `.not`, which never writes a file; so does a response with
 * an error status, a body that was read, or a content type that is not the one of its bytes.
 *
 * For its types in vitest 4 and 5, add `PictureMatchers<void>` as `VerdictMatchers` is added.
 *
 * @throws {TypeError} for a path that is not a string, and for a received value that is not a picture
 * @example
 * ```ts
 * const { pass } = await pictureMatchers.toMatchPicture(new Uint8Array(), "golden/missing.webp");
 * pass; // => false
 * ```
 */
export const pictureMatchers = {
  async toMatchPicture(
    this: unknown,
    received: RenderedPicture,
    path: string,
    options: { readonly tolerance?: number } = {},
  ): Promise<MatcherResult> {
    const { testPath, isNot = false, snapshotState } = (this ?? {}) as RunnerState;
    requireArgument("options", options, pictureOptions);
    const { tolerance = 1 } = options;
    assertArguments(path, tolerance);
    const bytes = await readPicture(received);
    if (typeof bytes === "string") return failed(bytes, isNot);
    const file = resolve(testPath === undefined ? "." : dirname(testPath), path);
    const golden = await readGolden(file);
    if (typeof golden === "string")
      return failed(`the approved picture ${file} cannot be read: ${golden}`, isNot);
    const mode = snapshotState?.snapshotUpdateState ?? snapshotState?._updateSnapshot;
    if (mode === "all" && !isNot) return write(file, bytes, golden, tolerance);
    if (!golden) return failed(`the approved picture ${file} does not exist; write it with \`-u\``, isNot);
    const { isSame, isCompared, reason } = await comparePictures(bytes, golden, { tolerance });
    if (!isCompared) return failed(`${file}: ${reason}`, isNot);
    return { pass: isSame, message: () => `${file}: ${reason}` };
  },
};

function assertArguments(path: unknown, tolerance: unknown): void {
  if (typeof path !== "string" || path === "") {
    throw new TypeError(`toMatchPicture needs the path of the approved picture; found ${describe(path)}`);
  }
  if (typeof tolerance === "number" && isTolerance(tolerance)) return;
  throw new RangeError(
    `The option \`tolerance\` of toMatchPicture must be a number from 0 to ${maxTolerance}; found ${describe(tolerance)}`,
  );
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null) return quote(value);
  return typeof value === "string" ? `\`${JSON.stringify(value)}\`` : `\`${String(value)}\``;
}

/** The bytes, or the reason why they are missing. @throws {TypeError} for a value of another type */
async function readPicture(received: RenderedPicture): Promise<Uint8Array | string> {
  if (received instanceof Uint8Array) return received;
  if (typeof received === "object" && received !== null) {
    if (isResponse(received)) return readPictureResponse(received);
    if ("ok" in received) return received.ok ? received.value.bytes : received.problems[0].message;
    if (received.bytes instanceof Uint8Array) return received.bytes;
  }
  throw new TypeError(
    `toMatchPicture needs the bytes of a picture, a rendering, the result of renderVariant, or a Response; found ${describe(received)}`,
  );
}

/** Leaves a file alone that already looks like the picture. A file that is not a picture is not approved. */
async function write(
  file: string,
  bytes: Uint8Array,
  golden: Uint8Array | undefined,
  tolerance: number,
): Promise<MatcherResult> {
  const itself = await comparePictures(bytes, bytes);
  if (!itself.isCompared) return failed(itself.reason, false);
  const isSame = golden !== undefined && (await comparePictures(bytes, golden, { tolerance })).isSame;
  if (!isSame) {
    await createFolder(dirname(file));
    await replaceFile(file, bytes);
  }
  return { pass: true, message: () => `${file}: the picture was written` };
}

/** The bytes; undefined for a file that does not exist, a reason for one that cannot be read. */
async function readGolden(file: string): Promise<Uint8Array | string | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    return error.code === "EISDIR" ? "it is a folder" : error.message;
  });
}

/** Nothing was compared, so that the assertion fails with and without `.not`. */
function failed(reason: string, isNot: boolean): MatcherResult {
  return { pass: isNot, message: () => reason };
}
