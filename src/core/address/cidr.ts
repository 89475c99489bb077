/** Address prefixes (RFC 4632, RFC 4291 section 2.3). */

import { type Result, success } from "../result.ts";
import { parseDecimal } from "./decimal.ts";
import { type Ip, parseIp } from "./ip.ts";
import { type ParseFault, parseFailure } from "./parse-fault.ts";

/** An address prefix: the first `length` bits of `ip`. */
export interface Cidr {
  /** The network address; all bits after the prefix are 0. */
  readonly ip: Ip;
  /** In bits: 0..32 for IPv4, 0..128 for IPv6. */
  readonly length: number;
}

/** Parses `address/length`, where the address may have any bits. */
export function parseAddressWithLength(text: string): Result<Cidr, ParseFault> {
  const slash = text.indexOf("/");
  if (slash < 0) return parseFailure(text.length, "`/` and a prefix length are expected");
  const ip = parseIp(text.slice(0, slash));
  if (!ip.ok) return ip;
  const max = widthOf(ip.value);
  const length = parseDecimal(text, slash + 1, text.length, max);
  if (length === undefined) return parseFailure(slash + 1, `a prefix length from 0 to ${max} is expected`);
  return success({ ip: ip.value, length });
}

/**
 * Parses `address/length`. Bits beyond the length must be zero, since a route like 10.0.0.5/8 is usually a mistake.
 *
 * @example parseCidr("10.0.0.0/8") // { ok: true, value: { ip: { family: 4, words: [0, 0, 0, 0x0a000000] }, length: 8 } }
 */
export function parseCidr(text: string): Result<Cidr, ParseFault> {
  const parsed = parseAddressWithLength(text);
  if (!parsed.ok) return parsed;
  const { ip, length } = parsed.value;
  for (let bit = length; bit < widthOf(ip); bit++) {
    if (bitOf(ip, bit) === 1)
      return parseFailure(text.indexOf("/") + 1, "only zeros are allowed beyond the prefix length");
  }
  return parsed;
}

/** The number of bits of an address. */
const widthOf = ({ family }: Ip) => (family === 4 ? 32 : 128);

/** The bit of an address, 0 the most significant of its family. */
export function bitOf(ip: Ip, index: number): 0 | 1 {
  const at = ip.family === 4 ? index + 96 : index;
  return (((ip.words[at >>> 5] as number) >>> (31 - (at & 31))) & 1) as 0 | 1;
}
