/** Secrets as options: on the command line, where other users can see them, or from the environment or standard input. */
import { type CommandInput, type CommandOptions, type Io, stringOption, UsageError } from "../command.ts";
import { readTextInput, standardInput } from "./files.ts";

/**
 * The options of a secret: `--name` and `--name-env`.
 *
 * @param help the meaning of the secret, without a full stop
 */
export function secretOptions(name: string, help: string): CommandOptions {
  return {
    [name]: {
      type: "string",
      value: "value",
      help: `${help}; \`-\` reads it from standard input. Other users can see command lines: prefer \`-\` or --${name}-env.`,
    },
    [`${name}-env`]: {
      type: "string",
      value: "variable",
      help: `Name of the environment variable that holds the value of --${name}.`,
    },
  };
}

/**
 * The value of a secret's options. A line end after a value of standard input is removed.
 *
 * @param meaning the secret in words, such as `the value of a signing key`
 * @throws {UsageError} when it is missing or empty, or both options are given
 */
export async function readSecret(
  input: CommandInput,
  io: Io,
  name: string,
  meaning: string,
): Promise<string> {
  const value = stringOption(input, name);
  const variable = stringOption(input, `${name}-env`);
  if (value !== undefined && variable !== undefined)
    throw new UsageError(`--${name} and --${name}-env are both given; only one of them is allowed`);
  if (variable !== undefined) return readVariable(io, name, variable, meaning);
  if (value === standardInput) {
    const line = (await readTextInput(standardInput, io)).replace(/\r?\n$/, "");
    if (line === "") throw new UsageError(`standard input is empty; it must hold ${meaning}`);
    if (/[\r\n]/.test(line))
      throw new UsageError(`standard input has several lines; it must hold ${meaning} in one line`);
    return line;
  }
  if (value === undefined || value === "")
    throw new UsageError(
      `--${name} must be ${meaning}, or \`-\` for standard input, or use --${name}-env; it is missing`,
    );
  return value;
}

function readVariable({ env = {} }: Io, name: string, variable: string, meaning: string): string {
  const value = variable === "" ? undefined : env[variable];
  if (value !== undefined && value !== "") return value;
  if (variable === "")
    throw new UsageError(`--${name}-env must be the name of an environment variable; it is empty`);
  const found = value === undefined ? "is not set" : "is empty";
  throw new UsageError(`the environment variable \`${variable}\` ${found}; it must hold ${meaning}`);
}
