/** The file of a SQLite store: created for its owner only, and rejected when another program wrote it. */

import { closeSync, openSync, statSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type Database from "libsql";
import { parseJsonObject } from "../../../core/json-value.ts";
import { runCommand } from "../../../core/text/run-command.ts";
import { quote } from "../../../errors.ts";
import { driverReason, unavailableFor } from "../../driver-reasons.ts";
import { metaTable } from "../layout.ts";
import type { DatabaseClass } from "./sqlite-connection.ts";

const fileMode = 0o600;

/** Maximum number of tables that a message names. */
const maxNamed = 3;

/**
 * Creates an empty file when there is none. SQLite gives the files beside it (`-wal`, `-shm`) the same mode.
 *
 * @throws {DependencyUnavailableError} when the file cannot be created
 */
export function createFile(path: string): void {
  try {
    // Without waiting in between: to close a file releases the locks of all its connections in this process.
    closeSync(openSync(path, "wx", fileMode));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    const reason = driverReason(error);
    if (reason === undefined) throw error;
    throw unavailableFor(`the store ${quote(path)} cannot be created`, reason, error);
  }
}

/**
 * Checks that a file is a database of edgeproof, or empty when one may be created in it. Reads it by a connection that
 * cannot write.
 *
 * @param waitMs maximum wait for a process that locks the whole file
 * @throws {Error} when another program wrote the file, or it has no store and none may be created
 */
export function assertOwnFile(
  Libsql: DatabaseClass,
  path: string,
  { create, waitMs }: { readonly create: boolean; readonly waitMs: number },
): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  const size = stats?.size;
  if (size === undefined) throw new Error(`the file ${quote(path)} does not exist`);
  const assertMayCreate = () => {
    if (create) return;
    throw new Error(
      `the file ${quote(path)} has no store; \`${runCommand} serve --data\` creates one. After a copy, was the file \`${basename(path)}-wal\` beside it left out?`,
    );
  };
  if (size === 0) {
    assertMayCreate();
    return;
  }
  const database = new Libsql(`${pathToFileURL(path).href}?mode=ro`);
  try {
    database.exec(`pragma busy_timeout = ${waitMs}`);
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all([]);
    const names = tables.map((row) => (row as { name: string }).name);
    if (names.length === 0) {
      assertMayCreate();
      return;
    }
    if (names.includes(metaTable) && hasLayout(database)) return;
    const named = names.slice(0, maxNamed).map(quote).join(", ");
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
    throw new Error(
      `the file ${quote(path)} is a SQLite database of another program (it has the tables ${named}${more}): name a store of edgeproof, or a file that does not exist`,
    );
  } finally {
    database.close();
  }
}

/** Whether the table that has the name of edgeproof's own has its content. */
function hasLayout(database: Database.Database): boolean {
  const columns = database.prepare(`pragma table_info(${metaTable})`).all([]);
  const names = columns.map((column) => (column as { name: string }).name);
  if (!names.includes("name") || !names.includes("value")) return false;
  const row = database.prepare(`select value from ${metaTable} where name = 'layout'`).get([]);
  return typeof parseJsonObject(String((row as { value?: unknown })?.value))?.["format"] === "number";
}
