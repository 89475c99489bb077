/** The header of a message on a work queue: the first line of its body, as JSON. */
import * as z from "zod";

/** Version of the messages that this version writes and reads (`chosen`). */
export const messageVersion = 1;

/** Maximum number of accounts that a message names (`chosen`). */
export const maxMessageAccounts = 100;

const account = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, `_` and `-`");

/** The header of a scanned picture. */
const pictureHeader = z.strictObject({
  edgeproof: z.literal(messageVersion),
  type: z.literal("picture"),
  accounts: z.array(account).min(1).max(maxMessageAccounts),
  /** A `ScanRecord` without its picture. */
  facts: z.record(z.string(), z.unknown()),
  picture: z.strictObject({
    /** Size in bytes. */
    bytes: z.int().min(0),
    /** Of the bytes, in hexadecimal digits. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits in lower case"),
    /** Key in the blob store; without it, the bytes follow the header. */
    blob: z
      .string()
      .regex(/^queue\/[A-Za-z0-9_-]{1,64}\/\d{1,16}-[0-9a-f-]{36}$/, "the key of a queued picture")
      .optional(),
  }),
});

/** The header of a part of a lookback. */
const lookbackHeader = z.strictObject({
  edgeproof: z.literal(messageVersion),
  type: z.literal("lookback"),
  account,
  /** The kind of the query; a logo query without it. */
  part: z.literal("domains").optional(),
  query: z.string().regex(/^[1-9]\d{0,15}$/, "the id of a query"),
  /** Positions of stored names or pictures: the first one, and that after the last one. */
  from: z.int().min(1),
  to: z.int().min(2),
});

/** The headers of all kinds of messages. */
export const workHeader = z.discriminatedUnion("type", [pictureHeader, lookbackHeader]);

export type WorkHeader = z.output<typeof workHeader>;
export type LookbackHeader = z.output<typeof lookbackHeader>;
export type PictureHeader = z.output<typeof pictureHeader>;
