/** `edgeproof sign`: signs a delivery address. */
import { signAddress } from "../../engine/images/signing.ts";
import { parseTimestamp } from "../../service/time.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../command.ts";
import { readSecret, secretOptions } from "../input/secret-option.ts";

export const sign: CommandDefinition = {
  about: ["For images that require signatures. An `exp` or `sig` of the address is replaced."],
  positionals: "<url>",
  options: {
    ...secretOptions("key", "Value of one of the account's signing keys"),
    expires: {
      type: "string",
      value: "time",
      help: "When the address expires: a duration such as 90s, 15m, 1h or 7d, or an RFC 3339 time. Default: never.",
    },
    ...jsonOption,
  },
  exits: {
    0: "The signed address was printed.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof sign https://images.example.com/hash/id/public --key-env SIGNING_KEY --expires 1h",
    "edgeproof sign /cdn-cgi/imagedelivery/hash/id/public --key - --expires 2026-12-31T00:00:00Z < key.txt",
  ],
  run: async (input, io) => runSign(input, io),
};

async function runSign(input: CommandInput, io: Io): Promise<number> {
  const [address, ...more] = input.positionals;
  if (address === undefined || more.length > 0)
    throw new UsageError(`expected one address to sign; found ${input.positionals.length}`);
  if (!/^(https?:\/\/[^/]+)?\//i.test(address)) {
    throw new UsageError(`\`${address}\` must be a URL, or a path that begins with a slash`);
  }
  const expiresAt = readExpiry(stringOption(input, "expires"), Date.now());
  const key = await readSecret(input, io, "key", "the value of a signing key");
  const signed = signAddress(asRequested(address), key, expiresAt);
  const asJson = booleanOption(input, "json");
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
