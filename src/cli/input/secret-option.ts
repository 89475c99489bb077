/** Secrets as options: on the command line, where other users can see them, or from the environment or standard input. */
import { type Io, UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import type { keyOptions } from "../options/keys.ts";
import { readTextInput, standardInput } from "./files.ts";

/** What `--key` must be. */
const meaning = "the value of a signing key";

/**
 * The value of the secret `--key`. A line end after a value of standard input is removed.
 *
 * @throws {UsageError} when it is missing or empty
 */
export async function readKey(
  { key: value, keyEnv: variable }: ValuesOf<typeof keyOptions>,
  io: Io,
): Promise<string> {
  if (variable !== undefined) return readVariable(io, variable);
  if (value === standardInput) {
    const line = (await readTextInput(standardInput, io)).replace(/\r?\n$/, "");
    if (line === "") throw new UsageError(`standard input is empty; it must hold ${meaning}`);
    if (/[\r\n]/.test(line))
      throw new UsageError(`standard input has several lines; it must hold ${meaning} in one line`);
    return line;
  }
  if (value === undefined || value === "")
    throw new UsageError(
      `--key must be ${meaning}, or \`-\` for standard input, or use --key-env; it is missing`,
    );
  return value;
}

function readVariable({ env = {} }: Io, variable: string): string {
  const value = variable === "" ? undefined : env[variable];
  if (value !== undefined && value !== "") return value;
  if (variable === "")
    throw new UsageError(`--key-env must be the name of an environment variable; it is empty`);
  const found = value === undefined ? "is not set" : "is empty";
  throw new UsageError(`the environment variable \`${variable}\` ${found}; it must hold ${meaning}`);
}
