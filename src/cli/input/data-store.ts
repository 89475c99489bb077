/** The `--data` option: the store of a server or a command. */

import { DependencyUnavailableError, isPackageFailure } from "../../errors.ts";
import type { Store } from "../../store/port.ts";
import type { PostgresStoreOptions } from "../../store/sql/postgres.ts";
import { type Io, UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import { type sharedStoreOption, variables } from "../options/stores.ts";
import type { BlobPlace } from "./blobs-option.ts";
import { assertFileExists } from "./files.ts";

type SharedValues = ValuesOf<typeof sharedStoreOption>;

const postgresPattern = /^postgres(ql)?:\/\//;

/** Rejects a SQLite file that does not exist, since opening would create it. @throws {UsageError} */
export async function assertDataExists(data: string): Promise<void> {
  if (!/^[a-z]+:\/\//i.test(data)) await assertFileExists(data);
}

/** The value of `--data`, or that of EDGEPROOF_DATA; undefined when both are missing. @throws {UsageError} for a file */
export function sharedData(options: SharedValues, { env = {} }: Pick<Io, "env">): string | undefined {
  const data = options.data ?? env[variables.data];
  if (data === undefined || postgresPattern.test(data)) return data;
  throw new UsageError(
    `--data must be a database at postgres://..., which several processes can write to at a time; found \`${withoutPassword(data)}\``,
  );
}

/** The address of the database that has a queue, without the parameters of the queue; undefined for another address. */
export function databaseOfQueue(address: string): string | undefined {
  return postgresPattern.test(address) ? splitParameters(address, ["name", "schema"]).rest : undefined;
}

/** As `sharedData`. @throws {UsageError} when both are missing */
export function requiredSharedData(options: SharedValues, io: Pick<Io, "env">): string {
  const data = sharedData(options, io);
  if (data !== undefined) return data;
  throw new UsageError(
    `--data is missing, and ${variables.data} is not set; it must name a database at postgres://...`,
  );
}

/**
 * Opens the store that the option names; the libraries behind it are loaded only now.
 *
 * @param blobs where it keeps blobs; undefined for the default
 * @param settings `create` of every store; `onRollback` of a PostgreSQL store
 * @throws {UsageError} @throws {DependencyUnavailableError} when a library is missing
 */
export async function openDataStore(
  data: string,
  blobs: BlobPlace,
  settings: Pick<PostgresStoreOptions, "create" | "onRollback"> = {},
): Promise<Store> {
  try {
    if (postgresPattern.test(data)) {
      const { openPostgresStore } = await import("../../store/sql/postgres.ts");
      const { rest, parameters } = splitParameters(data, ["schema"]);
      return await openPostgresStore({ connectionString: rest, ...parameters, ...blobs, ...settings });
    }
    if (/^[a-z]+:\/\//i.test(data)) {
      throw new UsageError(
        `--data must be a file name or an address that begins with postgres://; found \`${withoutPassword(data)}\``,
      );
    }
    const { openSqliteStore } = await import("../../store/sql/sqlite.ts");
    const { create = true } = settings;
    return await openSqliteStore({ path: data, create, ...blobs });
  } catch (error) {
    if (error instanceof UsageError || isPackageFailure(error)) throw error;
    throw new UsageError(`cannot open ${withoutPassword(data)}: ${reasonOf(error)}`);
  }
}

/** The message of the cause, which says more than that a server is unavailable. */
export function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  const reason = error instanceof DependencyUnavailableError && cause instanceof Error ? cause : error;
  return (reason as Error).message || (error as Error).message;
}

/**
 * Separates parameters of an address that its driver does not know. A parameter without a value is left out.
 *
 * @param names the parameters to remove from the address
 */
export function splitParameters<Name extends string>(
  address: string,
  names: readonly Name[],
): { readonly rest: string; readonly parameters: Readonly<Partial<Record<Name, string>>> } {
  // By hand: the servers of NATS may be several, which is not a URL.
  const [place = "", query = ""] = address.split(/\?(.*)/s);
  const all = new URLSearchParams(query);
  const parameters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = all.get(name);
    if (value) parameters[name] = value;
  }
  if (!names.some((name) => all.has(name))) return { rest: address, parameters };
  for (const name of names) all.delete(name);
  return { rest: all.size > 0 ? `${place}?${all}` : place, parameters };
}

/** A user name, which is kept, and a password up to the last `@`: it may have characters that should be escaped. */
const password = /^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/i;
/** A token of NATS: a user name without a password. */
const token = /^((?:nats|tls):\/\/)[^:@/]+@/i;
/** Parameters that have a secret. */
const secretParameter = /([?&](?:[a-z_]*pass(?:word)?|token)=)[^&#]*/gi;

/** The address of a database or of servers, separated by commas, without passwords and tokens, for messages. */
export function withoutPassword(address: string): string {
  const parts = address.split(/,(?=[a-z]+:\/\/)/i);
  const masked = parts.map((part) =>
    part.replace(password, "$1:***@").replace(token, "$1***@").replace(secretParameter, "$1***"),
  );
  return masked.join(",");
}
