/** Reads an input of the Images binding. */
import { type BindingPart, bindingError } from "./binding-error.ts";
import { readStream } from "./read-stream.ts";

/** How an input is encoded. */
export interface ImageInputOptions {
  /** Absent for bytes. */
  readonly encoding?: "base64";
}

/** Maximum size of an input, in bytes (`observed`). */
export const maxInputBytes = 20_000_000;

/** The problem of an input with more bytes. */
export const inputTooLarge = {
  code: 9413,
  message: `The input must have at most ${maxInputBytes} bytes; it has more.`,
} as const;

/** The bytes. Rejects with 9413 when there are too many. */
export async function readInput(
  part: BindingPart,
  stream: ReadableStream<Uint8Array>,
  encoding: ImageInputOptions["encoding"],
): Promise<Uint8Array> {
  const bytes = await readStream(
    stream,
    encoding === "base64" ? Math.ceil(maxInputBytes / 3) * 4 : maxInputBytes,
  );
  if (bytes === undefined) throw bindingError(part, inputTooLarge.code, inputTooLarge.message);
  return encoding === "base64" ? Buffer.from(Buffer.from(bytes).toString("latin1"), "base64") : bytes;
}
