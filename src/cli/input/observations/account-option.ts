/** The `--account` option: the accounts that a command works on. */
import { quote } from "../../../errors.ts";
import { type CommandInput, stringOptions, UsageError } from "../../command.ts";

export const accountOption = {
  account: {
    type: "string",
    value: "id",
    multiple: true,
    help: "The account, or several separated by commas. Repeatable.",
  },
} as const;

const accountId = /^[A-Za-z0-9_-]{1,64}$/;

/** The accounts, each once. @throws {UsageError} when there is none, or an id is malformed */
export function readAccounts(input: CommandInput): readonly string[] {
  const accounts = [...new Set(stringOptions(input, "account").flatMap((ids) => ids.split(",")))];
  if (accounts.length === 0) throw new UsageError("--account is missing; it must name an account");
  const invalid = accounts.find((account) => !accountId.test(account));
  if (invalid === undefined) return accounts;
  throw new UsageError(`--account must be 1 to 64 letters, digits, \`_\` and \`-\`; found ${quote(invalid)}`);
}
