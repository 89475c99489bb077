/** Failures of databases, disks and connections are reported in words of our own, never in those of a driver. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../src/errors.ts";
import { driverReason } from "../../src/store/driver-reasons.ts";
import { unavailable } from "../../src/store/sql/engines/postgres-errors.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { edgeproof } from "../support/cli.ts";
import { postgresUrl, temporaryFolder } from "./open.ts";

const folder = await temporaryFolder();
const driverWords = "SECRET insert into things /x/node_modules/driver/index.js";

function failure(code: string | undefined, more: object = {}): Error {
  return Object.assign(new Error(driverWords), code !== undefined && { code }, more);
}

test.each([
  ["SQLITE_BUSY_SNAPSHOT", /^another process locks it; /],
  ["SQLITE_FULL", /^the disk is full/],
  ["SQLITE_READONLY_DIRECTORY", /^it cannot be written; make /],
  ["SQLITE_CANTOPEN_ISDIR", /^it cannot be opened; name a file/],
  ["SQLITE_NOTADB", /^it is not a SQLite database; /],
  ["SQLITE_CORRUPT_VTAB", /^the database is damaged; /],
  ["SQLITE_IOERR_WRITE", /^the disk reported a failure; /],
  ["28P01", /^the server rejected the password; /],
  ["28000", /^the server rejected the user; /],
  ["3D000", /^the server has no database of this name; /],
  ["42501", /^the user lacks a privilege; /],
  ["53300", /^the server has no connection left; /],
  ["53100", /^the disk is full/],
  ["57P03", /^the server is starting or stopping; /],
  ["25006", /^the database can only be read; /],
  ["ENOTFOUND", /^the host `db.example` is not known; /],
  ["ECONNREFUSED", /^nothing listens at `db.example:5432`; /],
  ["EACCES", /^it cannot be written; /],
  ["EROFS", /^it cannot be written; /],
  ["ENOSPC", /^the disk is full/],
  ["EMFILE", /^too many files are open; /],
])(
  "the failure %s is reported as what was found and what to do, without words of the driver",
  (code, expected) => {
    const place = { hostname: "db.example", ...(code === "ECONNREFUSED" && { port: 5432 }) };
    const error = unavailable(failure(code, place)) as DependencyUnavailableError;
    expect(error).toBeInstanceOf(DependencyUnavailableError);
    const reason = (error.cause as Error).message;
    expect(reason).toMatch(expected);
    expect(error.message).toBe(`the database is unavailable: ${reason}`);
    expect(error.message).not.toContain(driverWords);
  },
);

test.each([
  [1544, /^it cannot be written; /],
  [517, /^another process locks it; /],
  [778, /^the disk reported a failure; /],
])(
  "the number %i of SQLite, for which its driver has no name, is the failure of its lowest byte",
  (rawCode, expected) => {
    expect(driverReason(failure(`UNKNOWN_SQLITE_ERROR_${rawCode}`, { rawCode }))).toMatch(expected);
  },
);

test("several failed addresses are one reason each, and a defect of ours has none", () => {
  const closed = failure("ECONNREFUSED", { address: "::1", port: 1 });
  const both = new AggregateError([closed, closed, failure("ETIMEDOUT")]);
  expect(driverReason(both)).toBe(
    "nothing listens at `::1:1`; start the server, or check the host and the port; it did not answer in time; check the host, the network and the load of the server",
  );
  for (const other of [failure("42601"), failure(undefined), new TypeError("x"), "text", undefined])
    expect([driverReason(other), unavailable(other)]).toEqual([undefined, other]);
});

describe("a store that cannot be opened", () => {
  test.each([
    [
      "another file",
      async (path: string) => writeFile(path, "no database ".repeat(500)),
      /: it is not a SQLite/,
    ],
    [
      "a folder",
      async (path: string) => void (await mkdir(path)),
      /: a file and a folder have the same path; /,
    ],
  ])("%s in the place of a SQLite store", async (name, make, expected) => {
    const path = join(folder, `${name}.db`);
    await make(path);
    await expect(openSqliteStore({ path })).rejects.toThrow(expected);
    const { code, err } = await edgeproof(["store", "export", "--data", path]);
    expect(code).toBe(2);
    expect(err).toMatch(/: it is (not a SQLite database; |a folder)/);
    expect(err).not.toMatch(/ConnectionFailed|file is not a database|node_modules/);
  });

  test.skipIf(postgresUrl === undefined).each([
    [
      "database",
      (url: URL) => {
        url.pathname = "/none";
      },
      "no database of this name",
    ],
    [
      "user",
      (url: URL) => {
        url.username = "nobody_knows";
      },
      "rejected the user",
    ],
    [
      "host",
      (url: URL) => {
        url.hostname = "none.invalid";
      },
      "`none.invalid` is not known",
    ],
    [
      "port",
      (url: URL) => {
        url.port = "1";
      },
      "nothing listens at",
    ],
  ] as const)("a wrong %s of a PostgreSQL store", async (_name, change, expected) => {
    const url = new URL(postgresUrl!);
    change(url);
    const opening = openPostgresStore({ connectionString: url.href, connectTimeoutMs: 2_000 });
    await expect(opening).rejects.toThrow(DependencyUnavailableError);
    await expect(opening).rejects.toThrow(expected);
  });
});

test("an error with a number as its code, such as one of the interface or of a broker, has no reason", () => {
  for (const code of [10404, 0, 10014]) {
    const error = Object.assign(new Error("x"), { code });
    expect(driverReason(error)).toBeUndefined();
  }
});
