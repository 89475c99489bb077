/** The `--data` option: the store of a server or a command. */
import { DependencyUnavailableError } from "../../errors.ts";
import type { Store } from "../../store/port.ts";
import { type CommandInput, stringOption, UsageError } from "../command.ts";
import { assertFileExists } from "./files.ts";

export const dataOption = {
  data: {
    type: "string",
    value: "file|url",
    help: "Store everything in this SQLite file, or in a database at postgres://... Default: in memory.",
  },
} as const;

/** The `--data` option of commands that read or fill a store. */
export const storeOption = {
  data: {
    type: "string",
    value: "file|url",
    help: "The store: a SQLite file, or a database at postgres://... (`?schema=` names its schema).",
  },
} as const;

/** The value of `--data`. @throws {UsageError} when it is missing */
export function requiredData(input: CommandInput): string {
  const data = stringOption(input, "data");
  if (data === undefined || data === "")
    throw new UsageError("--data is missing; it must name a SQLite file or a database at postgres://...");
  return data;
}

const postgresPattern = /^postgres(ql)?:\/\//;

/** Rejects a SQLite file that does not exist, since opening would create it. @throws {UsageError} */
export async function assertDataExists(data: string): Promise<void> {
  if (!/^[a-z]+:\/\//i.test(data)) await assertFileExists(data);
}

/** Opens the store that the option names; the libraries behind it are loaded only now. @throws {UsageError} */
export async function openDataStore(data: string): Promise<Store> {
  try {
    if (postgresPattern.test(data)) {
      const { openPostgresStore } = await import("../../store/sql/postgres.ts");
      return await openPostgresStore(splitSchema(data));
    }
    if (/^[a-z]+:\/\//i.test(data)) {
      throw new UsageError(
        `--data must be a file name or an address that begins with postgres://; found \`${withoutPassword(data)}\``,
      );
    }
    const { openSqliteStore } = await import("../../store/sql/sqlite.ts");
    return await openSqliteStore({ path: data });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason =
      error instanceof DependencyUnavailableError && error.cause instanceof Error ? error.cause : error;
    throw new UsageError(`cannot open ${withoutPassword(data)}: ${(reason as Error).message}`);
  }
}

/** Separates the schema from the address, since `pg` has no such parameter. */
function splitSchema(address: string): { connectionString: string; schema?: string } {
  if (!URL.canParse(address)) return { connectionString: address };
  const url = new URL(address);
  const schema = url.searchParams.get("schema");
  if (!schema) return { connectionString: address };
  url.searchParams.delete("schema");
  return { connectionString: url.href, schema };
}

/** The address of a database without its password, for messages. */
export function withoutPassword(data: string): string {
  return data.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/i, "$1:***@");
}
