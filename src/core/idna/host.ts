/**
 * Host names between Unicode and A-labels, as the URL standard converts them (UTS 46, non-transitional, with CheckBidi and
 * CheckJoiners), by tables of our own: the same on every runtime.
 */
import { decode, encode } from "punycode/punycode.es6.js";
import { classOf, characterFlags as flags, mappingOf, type StatusClass } from "./characters.ts";

/** Maximum length of a host with A-labels or other scripts, in code units (`chosen`): encoding takes time by its square. */
const maxLength = 1024;

const prefix = "xn--";

/** Whether a host needs the tables: it has characters outside of ASCII or A-labels. */
export function isInternationalized(host: string): boolean {
  return /[^\0-\x7f]/.test(host) || host.toLowerCase().includes(prefix);
}

/** Forbidden domain code points of the URL standard. */
const forbidden = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

/**
 * The host of a URL (WHATWG), with A-labels; empty when it is invalid.
 *
 * @example domainToAscii("Mün.example") // => "xn--mn-xka.example"
 */
export function domainToAscii(host: string): string {
  const ascii = isInternationalized(host) ? encodeHost(host) : host.toLowerCase();
  if (forbidden.test(ascii)) return "";
  return endsInNumber(ascii) ? readIpv4(ascii) : ascii;
}

/** The host of a URL (WHATWG) with its A-labels decoded; empty when it is invalid. */
export function domainToUnicode(host: string): string {
  const ascii = domainToAscii(host);
  const labels = ascii.split(".");
  return labels
    .map((label) => (label.startsWith(prefix) ? decode(label.slice(prefix.length)) : label))
    .join(".");
}

function encodeHost(host: string): string {
  if (host.length > maxLength) return "";
  const labels = mapCharacters(host).normalize("NFC").split(".").map(decodeLabel);
  if (labels.includes(undefined)) return "";
  const decoded = (labels as readonly string[]).map(charactersOf);
  const isBidi = decoded.some((label) =>
    label.some(({ has }) => has(flags.rightToLeft | flags.arabicNumber)),
  );
  if (!decoded.every((label) => isValid(label, isBidi))) return "";
  return (labels as readonly string[])
    .map((label) => (/[^\0-\x7f]/.test(label) ? `${prefix}${encode(label)}` : label))
    .join(".");
}

/** Characters that are not allowed stay, and are found later. */
function mapCharacters(host: string): string {
  let mapped = "";
  for (const character of host) {
    const status = classOf(character.codePointAt(0) as number);
    if (status === "mapped") mapped += mappingOf(character);
    else if (status !== "ignored") mapped += character;
  }
  return mapped;
}

/** A label with its A-label decoded; undefined when it is not Punycode, or of ASCII only. */
function decodeLabel(label: string): string | undefined {
  if (!label.startsWith(prefix)) return label;
  try {
    const decoded = decode(label.slice(prefix.length));
    const isNeeded = /[^\0-\x7f]/.test(decoded) && !decoded.startsWith(prefix);
    return isNeeded && decoded.normalize("NFC") === decoded ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** A character of a label: its class, and whether it has one of some flags. */
interface Character {
  readonly text: string;
  readonly status: StatusClass;
  has(some: number): boolean;
}

function charactersOf(label: string): readonly Character[] {
  return Array.from(label, (text) => {
    const status = classOf(text.codePointAt(0) as number);
    return { text, status, has: (some) => typeof status === "number" && (status & some) !== 0 };
  });
}

/** The validity criteria of UTS 46, section 4.1. */
function isValid(label: readonly Character[], isBidi: boolean): boolean {
  const isAllowed = label.every(({ status, text }) => typeof status === "number" && text !== ".");
  if (!isAllowed || label[0]?.has(flags.mark)) return false;
  return label.every((_, i) => isJoinerAllowed(label, i)) && (!isBidi || isBidiLabel(label));
}

/** RFC 5892, appendix A.1 and A.2: joiners follow a virama, and a non-joiner may be between letters that join. */
function isJoinerAllowed(label: readonly Character[], i: number): boolean {
  const text = label[i]?.text;
  if (text !== "\u200c" && text !== "\u200d") return true;
  if (label[i - 1]?.has(flags.virama)) return true;
  if (text === "\u200d") return false;
  let [before, after] = [i - 1, i + 1];
  while (label[before]?.has(flags.joinTransparent)) before -= 1;
  while (label[after]?.has(flags.joinTransparent)) after += 1;
  return label[before]?.has(flags.joinsLeft) === true && label[after]?.has(flags.joinsRight) === true;
}

/** RFC 5893, section 2. */
function isBidiLabel(label: readonly Character[]): boolean {
  const [first] = label;
  if (first === undefined) return true;
  const { leftToRight, rightToLeft, europeanNumber, arabicNumber, nonspacing } = flags;
  const isRightToLeft = first.has(rightToLeft);
  if (!isRightToLeft && !first.has(leftToRight)) return false;
  const contains = (some: number) => label.some(({ has }) => has(some));
  const last = label.findLast(({ has }) => !has(nonspacing));
  if (!isRightToLeft)
    return !contains(rightToLeft | arabicNumber) && last?.has(leftToRight | europeanNumber) === true;
  if (contains(leftToRight) || (contains(europeanNumber) && contains(arabicNumber))) return false;
  return last?.has(rightToLeft | europeanNumber | arabicNumber) === true;
}

/** Whether the URL standard reads a host as an IPv4 address. */
function endsInNumber(host: string): boolean {
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/.test(host);
}

function readIpv4(host: string): string {
  return URL.canParse(`ws://${host}`) ? new URL(`ws://${host}`).hostname : "";
}
