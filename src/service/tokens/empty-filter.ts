/** The error for a filter without a value. */
import type { ApiError } from "../../errors.ts";
import { invalid } from "../context.ts";

/** The error for an empty filter of a list. */
export function emptyFilter(name: string): ApiError {
  return invalid("tokens", `\`${name}\` must not be empty; leave it out to list all.`);
}
