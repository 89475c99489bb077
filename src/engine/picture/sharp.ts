/**
 * The only loader of sharp, and the only place that decides whether an error of it is about the picture.
 *
 * sharp's process-wide settings (cache, concurrency, SIMD, blocked operations) belong to the application and stay
 * unchanged.
 */

import type Sharp from "sharp";
import { messageOf } from "../../core/message-of.ts";
import { requirePackage } from "../../core/platform/require-package.ts";
import { DependencyUnavailableError } from "../../errors.ts";

/**
 * Loads sharp on first use, so that importing the package costs nothing.
 *
 * @throws {DependencyUnavailableError} when it cannot be loaded; the next call tries again
 */
export function loadSharp(): typeof Sharp {
  return requirePackage<typeof Sharp>("sharp");
}

/** Beginnings and parts of messages of libvips and C++ for faults of the machine. `observed` */
const machineFaults =
  /^timeout: |out of memory|bad_alloc|allocation failed|too many open files|create thread/i;

/** Codes of Node.js for what the machine lacks. */
const machineCodes: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);

/**
 * The message of an error of the decoder or encoder: its first line, which the others repeat, without a full stop.
 *
 * @throws {DependencyUnavailableError} for an error of the machine, which says nothing about the picture: a time-out, or
 * missing memory, threads or file descriptors
 */
export function decoderMessage(error: unknown): string {
  if (error instanceof DependencyUnavailableError) throw error;
  const message = messageOf(error);
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  if (machineCodes.has(code) || message.split("\n").some((line) => machineFaults.test(line)))
    throw new DependencyUnavailableError("the machine could not process a picture", { cause: error });
  const [line = ""] = message.split("\n");
  return line.trim().replace(/\.$/, "");
}
