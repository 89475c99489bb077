/** `edgeproof sign`: signs a delivery address. */
import { signAddress } from "../../engine/images/signing.ts";
import { parseTimestamp } from "../../service/time.ts";
import {
  asJsonText,
  type Command,
  type CommandInput,
  flag,
  type Io,
  jsonOption,
  text,
  UsageError,
} from "../command.ts";

export const sign: Command = {
  name: "sign",
  group: "images",
  summary: "Sign the delivery address of an image.",
  about: [
    "For images that require signatures. The address is given without one; an `exp` or `sig` that it has is replaced.",
  ],
  positionals: "<url>",
  options: {
    key: { type: "string", value: "value", help: "Value of one of the account's signing keys." },
    expires: {
      type: "string",
      value: "time",
      help: "How long it is good for, such as 90s, 15m, 1h or 7d, or an RFC 3339 time. Default: for ever.",
    },
    ...jsonOption,
  },
  exits: {
    0: "The signed address is printed.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof sign https://images.example.com/hash/id/public --key SECRET --expires 1h",
    "edgeproof sign /cdn-cgi/imagedelivery/hash/id/public --key SECRET --expires 2026-12-31T00:00:00Z",
  ],
  run: async (input, io) => runSign(input, io),
};

function runSign(input: CommandInput, io: Io): number {
  const [address, ...more] = input.positionals;
  if (address === undefined || more.length > 0) throw new UsageError("name one address to sign");
  if (!/^(https?:\/\/[^/]+)?\//i.test(address)) {
    throw new UsageError(`\`${address}\` must be a URL, or a path that begins with a slash`);
  }
  const key = text(input, "key");
  if (key === undefined || key === "")
    throw new UsageError("--key is missing: give the value of a signing key");
  const expiresAt = readExpiry(text(input, "expires"), Date.now());
  const signed = signAddress(asRequested(address), key, expiresAt);
  const asJson = flag(input, "json");
  io.stdout.write(asJson ? asJsonText({ address: signed, expires_at: expiresAt ?? null }) : `${signed}\n`);
  return 0;
}

/** The address as clients request it: a signature covers what is sent, percent-encoded and without dot segments. */
function asRequested(address: string): string {
  const isPath = address.startsWith("/");
  const whole = isPath ? `http://path${address}` : address;
  if (!URL.canParse(whole)) throw new UsageError(`\`${address}\` is not a URL`);
  const { href, origin } = new URL(whole);
  return isPath ? href.slice(origin.length) : href;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds since 1970. */
function readExpiry(word: string | undefined, nowMs: number): number | undefined {
  if (word === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d{1,7})([smhd])$/.exec(word) ?? [];
  if (count !== "") return Math.floor(nowMs / 1000) + Number(count) * unitSeconds[unit]!;
  const time = parseTimestamp(word);
  if (time !== undefined && time >= 0) return Math.floor(time / 1000);
  throw new UsageError(
    `--expires is \`${word}\`; it must be a time such as 90s, 15m, 1h or 7d, or an RFC 3339 time`,
  );
}
