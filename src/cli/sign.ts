/** `edgeproof sign`: signs a delivery address. */
import { signAddress } from "../engine/images/index.ts";
import { parseTimestamp } from "../service/time.ts";
import { type Command, type CommandInput, type Io, text, UsageError } from "./command.ts";

export const sign: Command = {
  name: "sign",
  summary: "Sign the delivery address of an image.",
  positionals: "<url>",
  options: {
    key: { type: "string", value: "value", help: "Value of one of the account's signing keys." },
    expires: {
      type: "string",
      value: "time",
      help: "How long it is good for, such as 90s, 15m, 1h or 7d, or an RFC 3339 time. Default: for ever.",
    },
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
  io.stdout.write(`${signAddress(address, key, readExpiry(text(input, "expires"), Date.now()))}\n`);
  return 0;
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
