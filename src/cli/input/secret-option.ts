/** Secrets as options: on the command line, where other users can see them, or from the environment or standard input. */
import { type Io, UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import type { keyOptions } from "../options/keys.ts";
import { standardInput } from "../standard-input.ts";
import { readTextInput } from "./files.ts";

/** The required value. */
const meaning = "the value of a signing key";

/**
 * The value of the secret `--key`. A line end after a value of standard input is removed.
 *
 * @throws {UsageError} when it is empty
 */
export async function readKey(
  { key = "", keyEnv: variable }: ValuesOf<typeof keyOptions>,
  io: Io,
): Promise<string> {
  if (variable !== undefined) return readVariable(io, variable);
  if (key !== standardInput) return key;
  const line = (await readTextInput(standardInput, io)).replace(/\r?\n$/, "");
  if (line === "") throw new UsageError(`standard input is empty; it must hold ${meaning}`);
  if (/[\r\n]/.test(line))
    throw new UsageError(`standard input has several lines; it must hold ${meaning} in one line`);
  return line;
}

function readVariable({ env = {} }: Io, variable: string): string {
  const value = env[variable];
  if (value) return value;
  const found = value === undefined ? "is not set" : "is empty";
  throw new UsageError(`the environment variable \`${variable}\` ${found}; it must hold ${meaning}`);
}
