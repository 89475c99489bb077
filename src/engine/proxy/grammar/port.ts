/** Ports and port ranges: 1..65535, decimal, no leading zero, start < end (`spec`: proxy applications). */

import { parseDecimal } from "../../../core/address/decimal.ts";
import { type ParseFault, parseFailure } from "../../../core/address/parse-fault.ts";
import { type Result, success } from "../../../core/result.ts";

/** Ports from `first` to `last`, both included; a single port has the same number twice. */
export interface PortRange {
  /** Lowest port, 1..65535. */
  readonly first: number;
  /** Highest port, `first`..65535. */
  readonly last: number;
}

/** The highest port number (RFC 9293, RFC 768). */
export const maxPort = 65_535;

/** The number of ports of a range. */
export function widthOf(range: PortRange): number {
  return range.last - range.first + 1;
}

/**
 * Parses a port or a range of ports from offset `start` to the end of the string.
 *
 * @example parsePorts("1000-2000") // { ok: true, value: { first: 1000, last: 2000 } }
 */
export function parsePorts(text: string, start = 0): Result<PortRange, ParseFault> {
  const dash = text.indexOf("-", start);
  const first = parsePort(text, start, dash < 0 ? text.length : dash);
  if (first === undefined) return parseFailure(start, `a port from 1 to ${maxPort} is expected`);
  if (dash < 0) return success({ first, last: first });
  const last = parsePort(text, dash + 1, text.length);
  if (last === undefined) return parseFailure(dash + 1, `a port from 1 to ${maxPort} is expected`);
  if (last <= first) return parseFailure(dash + 1, "the end of a range must be above its start");
  return success({ first, last });
}

function parsePort(text: string, start: number, end: number): number | undefined {
  const port = parseDecimal(text, start, end, maxPort);
  return port === 0 ? undefined : port;
}

/**
 * Prints a range; the inverse of `parsePorts`.
 *
 * @example printPorts({ first: 22, last: 22 }) // "22"
 */
export function printPorts({ first, last }: PortRange): string {
  return first === last ? String(first) : `${first}-${last}`;
}
