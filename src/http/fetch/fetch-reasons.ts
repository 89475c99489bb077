/** The errors of a guarded fetch: those of an upload by URL, and those of the source of a transformation. */
import { ApiError, problem } from "../../errors.ts";

/** Errors by their cause. */
export interface FetchReasons {
  readonly tookTooLong: (timeoutMs: number) => Error;
  readonly tooManyRedirects: (redirects: number) => Error;
  /** A redirect to an address that is not allowed, or is none. */
  readonly invalidRedirect: (reason: Error) => Error;
}

/** A reason, to which the caller adds its code. */
export const uploadReasons: FetchReasons = {
  tookTooLong: (timeoutMs) => new Error(`it took longer than ${timeoutMs} ms`),
  tooManyRedirects: (redirects) => new Error(`it redirects more than ${redirects} times`),
  invalidRedirect: (reason) => reason,
};

/** Codes of transformations (`observed`). */
export const sourceReasons: FetchReasons = {
  tookTooLong: (timeoutMs) => new ApiError(problem(9504, `The origin took longer than ${timeoutMs} ms.`)),
  tooManyRedirects: (redirects) =>
    new ApiError(
      problem(9421, `The origin must redirect at most ${redirects} times; it redirects more often.`),
    ),
  invalidRedirect: ({ message }) =>
    new ApiError(problem(9420, `The origin redirects to an address that cannot be fetched: ${message}.`)),
};
