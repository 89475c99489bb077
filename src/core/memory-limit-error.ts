/** Memory that cannot be had: the message names the limit that must be raised. */
export class MemoryLimitError extends RangeError {
  override readonly name = "MemoryLimitError";
}
