/** `edgeproof images sign`: signs a delivery address. */

import { signAddress } from "../../engine/images/signing.ts";
import { parseTimestamp } from "../../service/time.ts";
import { formatJson, UsageError } from "../command.ts";
import type { sign } from "../declarations/images.ts";
import type { InvocationOf } from "../declare.ts";
import { readKey } from "../input/secret-option.ts";

export async function run({ options, words, io }: InvocationOf<typeof sign>): Promise<number> {
  const [address = ""] = words;
  if (!/^(https?:\/\/[^/]+)?\//i.test(address)) {
    throw new UsageError(`\`${address}\` must be a URL, or a path that begins with a slash`);
  }
  const expiresAt = readExpiry(options.expires, Date.now());
  const key = await readKey(options, io);
  const signed = signAddress(asRequested(address), key, expiresAt);
  const asJson = options.json;
  io.stdout.write(asJson ? formatJson({ address: signed, expires_at: expiresAt ?? null }) : `${signed}\n`);
  return 0;
}

/** The address as clients send it, percent-encoded and without dot segments: the signature covers this form. */
function asRequested(address: string): string {
  const isPath = address.startsWith("/");
  const absolute = isPath ? `http://path${address}` : address;
  if (!URL.canParse(absolute)) throw new UsageError(`\`${address}\` must be a URL`);
  const { href, origin } = new URL(absolute);
  return isPath ? href.slice(origin.length) : href;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds since 1970. */
function readExpiry(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,7})([smhd])$/.exec(value) ?? [];
  const seconds = unitSeconds[unit];
  if (seconds !== undefined) return Math.floor(nowMs / 1000) + Number(count) * seconds;
  const time = parseTimestamp(value);
  if (time !== undefined && time >= 0) return Math.floor(time / 1000);
  throw new UsageError(
    `--expires must be a duration such as 90s, 15m, 1h or 7d, or an RFC 3339 time; found \`${value}\``,
  );
}
