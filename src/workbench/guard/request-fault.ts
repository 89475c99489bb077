/** The rejection of a request for data; it needs no server, so that the engines of a page reject in the same way. */
import { ApiError, InvalidInputError } from "../../errors.ts";
import type { Rejection } from "../messages.ts";

/** A request that cannot be answered as asked; the message is for the person at the page. */
export class RequestFault extends Error {
  override readonly name = "RequestFault";
  /** HTTP status. */
  readonly status: number;

  /** @param status HTTP status, 400 to 499 */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The rejection of an error that the input of a person caused, with its HTTP status; undefined for any other error. */
export function rejectionOf(
  error: unknown,
): { readonly status: number; readonly rejection: Rejection } | undefined {
  if (error instanceof RequestFault)
    return { status: error.status, rejection: { message: error.message, problems: [] } };
  if (!(error instanceof ApiError || error instanceof InvalidInputError)) return undefined;
  const status = error instanceof ApiError ? Math.min(error.status, 499) : 400;
  return { status, rejection: { message: error.message, problems: error.problems } };
}
