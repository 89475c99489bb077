/** Rejections of the inputs of brand protection. */
import { type Failure, failure } from "../../core/result.ts";
import { problem } from "../../errors.ts";
import { genericCodes } from "../context.ts";

/** Rejects a picture, a record or a message of brand protection. */
export function reject(message: string): Failure {
  return failure(problem(genericCodes.brand.invalid, message));
}
