/**
 * Failures of databases, disks and connections, as messages say them. The texts of drivers have statements, paths and words of
 * their own implementation; each reason here says what was found and what to do.
 */
import { DependencyUnavailableError } from "../errors.ts";

/** A failure as drivers and Node.js report it. */
interface ThrownByDriver extends Error {
  readonly code?: string;
  /** The number of SQLite, whose lowest byte is the primary code. */
  readonly rawCode?: number;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

type Reason = string | ((error: ThrownByDriver) => string);

const hostOf = ({ hostname, address, port }: ThrownByDriver) =>
  `\`${hostname ?? address ?? "the host"}${port === undefined ? "" : `:${port}`}\``;

const timedOut = "it did not answer in time; check the host, the network and the load of the server";
const cutOff = "the connection was cut; check the server and the network, and try again";
const busy = "another process locks it; wait for its end, or stop it";
const full = "the disk is full, or a quota is reached; free space, and try again";
const readOnly =
  "it cannot be written; make the file, the files beside it and its folder writable for this process";
const notOpened =
  "it cannot be opened; name a file, not a folder, in a folder that exists, and make both readable and writable for this process";
const faulty = "the disk reported a failure; check the disk and its free space";

/**
 * The codes of SQLite (`SQLITE_...`), of PostgreSQL (five characters) and of system calls (`E...`), and the beginnings of
 * messages of `pg` without a code. The first entry that matches counts.
 */
const reasons: readonly (readonly [pattern: RegExp, reason: Reason])[] = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, busy],
  [/^SQLITE_FULL/, full],
  [/^SQLITE_(READONLY|PERM|AUTH)/, readOnly],
  [/^SQLITE_CANTOPEN/, notOpened],
  [/^SQLITE_NOTADB/, "it is not a SQLite database; name a store of edgeproof, or a file that does not exist"],
  [/^SQLITE_CORRUPT/, "the database is damaged; restore a backup, or import an export"],
  [/^SQLITE_IOERR/, faulty],
  [/^SQLITE_NOMEM/, "there is not enough memory; raise the limit of the process"],
  [/^28P01$/, "the server rejected the password; check the user and the password of the address"],
  [/^28...$/, "the server rejected the user; check that the user exists and may connect from this host"],
  [/^3D000$/, "the server has no database of this name; create it, or check the name in the address"],
  [/^42501$/, "the user lacks a privilege; grant it the creation and use of the schema and its tables"],
  [/^53300$/, "the server has no connection left; lower `maxConnections`, or raise the server's maximum"],
  [/^53100$/, full],
  [/^53...$/, "the server lacks memory or another resource; raise its limits"],
  [/^57014$/, "a statement took longer than its maximum; raise `statementTimeoutMs`, or lower the load"],
  [/^57P03$/, "the server is starting or stopping; try again"],
  [/^(08...|57P0[1-5]|25P0[34])$/, cutOff],
  [/^25006$/, "the database can only be read; name the primary server"],
  [/^58...$/, faulty],
  [/^XX...$/, "the server reported an internal error; its log has the details"],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    (error) => `the host ${hostOf(error)} is not known; check the name in the address`,
  ],
  [
    /^ECONNREFUSED$/,
    (error) => `nothing listens at ${hostOf(error)}; start the server, or check the host and the port`,
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/,
    (error) => `${hostOf(error)} cannot be reached; check the network`,
  ],
  [/^(ETIMEDOUT|Query read timeout|timeout e(xceeded|xpired))/, timedOut],
  [
    /^(ECONN(RESET|ABORTED)|EPIPE|Connection terminated|Client (was closed|has encountered a connection error))/,
    cutOff,
  ],
  [/^The server does not support SSL/, "the server has no encryption; remove `sslmode` from the address"],
  [/^(EACCES|EPERM|EROFS)$/, readOnly],
  [/^(ENOSPC|EDQUOT)$/, full],
  [/^(EMFILE|ENFILE)$/, "too many files are open; raise the limit of open files (`ulimit -n`)"],
  [/^ENOENT$/, "its folder does not exist; create the folder"],
  [/^(ENOTDIR|EISDIR|EEXIST)$/, "a file and a folder have the same path; name another path"],
  [/^EIO$/, faulty],
];

/** Primary codes of SQLite by number: libsql has no names for some of the extended codes. */
const sqliteCodes: Readonly<Record<number, string>> = {
  3: "PERM",
  5: "BUSY",
  6: "LOCKED",
  7: "NOMEM",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  15: "PROTOCOL",
  23: "AUTH",
  26: "NOTADB",
};

/** The code of an error, when it is one of a driver: those of the interface are numbers. */
function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : undefined;
}

/** The code of an error of SQLite, such as `SQLITE_BUSY`; undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { rawCode, message } = error as ThrownByDriver;
  const name = rawCode === undefined ? undefined : sqliteCodes[rawCode & 0xff];
  if (name !== undefined) return `SQLITE_${name}`;
  // libsql has no code for a file that SQLite cannot open.
  if (message.startsWith("ConnectionFailed(")) return "SQLITE_CANTOPEN";
  return codeOf(error)?.startsWith("SQLITE_") ? codeOf(error) : undefined;
}

/** Why a database, a disk or a connection failed; undefined for any other error. */
export function driverReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError) {
    const each = new Set(error.errors.flatMap((cause) => driverReason(cause) ?? []));
    return each.size > 0 ? [...each].join("; ") : undefined;
  }
  const key = sqliteCode(error) ?? (codeOf(error) || error.message);
  const reason = reasons.find(([pattern]) => pattern.test(key))?.[1];
  return typeof reason === "function" ? reason(error) : reason;
}

/**
 * The error of what failed and why. Its cause has the reason as a message, for commands that name what failed themselves, and
 * that one's cause is the driver's error.
 */
export function unavailableFor(what: string, reason: string, error: unknown): DependencyUnavailableError {
  const cause = new Error(reason, { cause: error });
  return new DependencyUnavailableError(`${what}: ${reason}`, { cause });
}
