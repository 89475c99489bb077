/** Prints values that have the spelling of another language as literals of a type. */

import type { ScalarType } from "../language/types.ts";
import { printPattern } from "../patterns/pattern-literal.ts";
import { parseInteger } from "../typed-literals.ts";
import { networkOf, parseAddress, parseAddressRange, printAddress } from "../values/address.ts";
import { toBytes } from "../values/bytes.ts";
import { type LooseItem, printText } from "./loose-text.ts";
import { isNothing } from "./other-words.ts";

/** Prints a value as a literal of a type; undefined for one that has no such literal. */
export const printers: { readonly [T in ScalarType | "Pattern"]: (item: LooseItem) => string | undefined } = {
  Bool: () => undefined,
  // Numbers of autonomous systems are written with `AS` elsewhere.
  Int: ({ text }) => printIntegers(text.trim().replace(/^AS(?=[0-9])/i, "")),
  IP: ({ text }) => printAddresses(text.trim()),
  String: (item) => {
    if (item.kind === "bare" && isNothing(item.text)) return '""';
    if (item.kind === "bare" && /^(?:[0-9A-Fa-f]{2}:)+[0-9A-Fa-f]{2}$/.test(item.text)) return item.written;
    return isLiteral(item) ? item.written : printText(item.kind === "string" ? item.text : item.written);
  },
  Pattern: (item) => (isLiteral(item) ? item.written : printPattern(toBytes(item.text))),
};

/** Whether a string is in straight double quotes, or raw. */
function isLiteral({ kind, written }: LooseItem): boolean {
  return kind === "string" && /^(?:"|r#*")/.test(written) && /"#*$/.test(written);
}

/** Whether a literal is more than one value, and so is allowed in a set only. */
export function isRange(type: ScalarType, literal: string): boolean {
  return (type === "IP" && literal.includes("/")) || (type !== "String" && literal.includes(".."));
}

function printIntegers(text: string): string | undefined {
  const [from = "", to = from, ...more] = text
    .replace(/^([0-9]+)(?:-|\.\.\.)([0-9]+)$/, "$1..$2")
    .split("..");
  const [first, last] = [parseInteger(from), parseInteger(to)];
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  if (from === to) return from;
  return first <= last ? `${from}..${to}` : `${to}..${from}`;
}

function printAddresses(text: string): string | undefined {
  if (typeof parseAddressRange(text) !== "string") return text;
  return printNetwork(text) ?? printStars(text) ?? printEnds(text);
}

/** A network without the bits after its prefix. */
function printNetwork(text: string): string | undefined {
  const [start = "", prefix = ""] = text.split("/");
  const address = parseAddress(start);
  if (address === undefined || !/^[0-9]{1,3}$/.test(prefix)) return undefined;
  const length = Number(prefix);
  if (length > (typeof address === "number" ? 32 : 128)) return undefined;
  return `${printAddress(networkOf(address, length))}/${length}`;
}

/** A network with stars for its last bytes. */
function printStars(text: string): string | undefined {
  const parts = text.split(".");
  const fixed = parts.indexOf("*");
  if (fixed < 1 || parts.length > 4 || parts.slice(fixed).some((part) => part !== "*")) return undefined;
  const start = [...parts.slice(0, fixed), "0", "0", "0", "0"].slice(0, 4).join(".");
  return parseAddress(start) === undefined ? undefined : `${start}/${8 * fixed}`;
}

/** A range with another sign between its ends, or with its ends reversed. */
function printEnds(text: string): string | undefined {
  const [start = "", other = "", ...more] = text.split(/-|\.{2,3}/);
  const [first, last] = [parseAddress(start), parseAddress(other)];
  if (first === undefined || last === undefined || typeof first !== typeof last || more.length > 0)
    return undefined;
  return first <= last ? `${start}..${other}` : `${other}..${start}`;
}
