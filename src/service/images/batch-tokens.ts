/**
 * Batch tokens: an hour of access to the images of one account, on hosts of their own (`observed`). They are signed with
 * the account's secret and not stored: a token outlives a restart as its account does (chosen).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { aString, requireArgument } from "../../core/arguments.ts";
import { imagesScope } from "../../store/records/images.ts";
import { type ServiceContext, scopeExists } from "../context.ts";
import { formatTimestamp } from "../time.ts";
import { openAccount } from "./account.ts";

/** Lifetime of a token, in milliseconds (chosen). */
const lifetimeMs = 3_600_000;

/** A new token. */
export interface BatchToken {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Creates and verifies batch tokens. */
export interface BatchTokenService {
  /** A new token of an account. */
  create(account: string): Promise<BatchToken>;
  /** Whether a token is one of its account, and has not expired. */
  verify(token: string): Promise<boolean>;
}

export function batchTokenService(context: ServiceContext): BatchTokenService {
  const { store, clock } = context;
  return {
    create: async (account) => {
      const { token_secret } = await openAccount(context, account);
      const expiresMs = clock() + lifetimeMs;
      const token = print(account, expiresMs, token_secret);
      return { token, expiresAt: formatTimestamp(expiresMs) };
    },
    verify: async (token) => {
      requireArgument("token", token, aString);
      const read = readBatchToken(token);
      if (!read || clock() >= read.expiresMs) return false;
      const { account, expiresMs } = read;
      const record = await store.read(async (tx) =>
        (await scopeExists(tx, "accounts", account))
          ? tx.get("image_accounts", imagesScope, account)
          : undefined,
      );
      return record !== undefined && isSame(token, print(account, expiresMs, record.token_secret));
    },
  };
}

/** The parts of a string with the format of a batch token, which no other token has; undefined for another string. */
export function readBatchToken(
  token: string,
): { readonly account: string; readonly expiresMs: number } | undefined {
  const [, account, expires] = /^edgeproof-batch\.([\w-]{1,64})\.(\d{1,15})\.[0-9a-f]{64}$/.exec(token) ?? [];
  return account === undefined ? undefined : { account, expiresMs: Number(expires) };
}

function print(account: string, expiresMs: number, secret: string): string {
  const start = `edgeproof-batch.${account}.${expiresMs}`;
  return `${start}.${createHmac("sha256", secret).update(start).digest("hex")}`;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
