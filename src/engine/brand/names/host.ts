/**
 * Host normalisation: from a name as it came to its parts in the form in which they are compared (`chosen`, spec/brand.md point 1).
 */
import { quote } from "../../../errors.ts";
import { foldText } from "./fold.ts";
import { suffixLength } from "./public-suffix.ts";

/** RFC 1035 section 2.3.4; counted in code points of the decoded name. */
export const maxHostLength = 253;
/** RFC 1035 section 2.3.4. */
export const maxLabelLength = 63;

/** Code points that no name holds: ASCII other than letters, digits, `-`, `_`, `*` and the dot, controls, blanks, lone surrogates. */
const badCharacter = /[\0-)+,/:-@[-^`{-\x7f]|[\p{Cc}\p{Cs}\p{Z}\ufffd]/u;

/** A host in normal form, and its parts. */
export interface Host {
  /** Decoded, NFKC, case folded, without the trailing dot. */
  readonly host: string;
  /** The public suffix; empty when there is none. */
  readonly suffix: string;
  /** The host without its public suffix and the dot before it. */
  readonly text: string;
  /** The label left of the public suffix; undefined for a bare suffix and for an address. */
  readonly label: string | undefined;
  /** What stands left of the registrable label, without the dot between. */
  readonly subdomain: string;
}

/** Why something is no host name. */
export type HostFault =
  | "not_text"
  | "empty"
  | "too_long"
  | "bad_character"
  | "empty_label"
  | "label_too_long";

/** A host, or why there is none. */
export type HostResult =
  | { readonly ok: true; readonly value: Host }
  | { readonly ok: false; readonly fault: HostFault; readonly message: string };

/**
 * Normalises a host name and takes it apart. Never throws.
 *
 * @example
 * ```ts
 * normalizeHost("Login.XN--PAYPL-7VE.co.uk.");
 * // => { ok: true, value: { host: "login.paypаl.co.uk", suffix: "co.uk", text: "login.paypаl", label: "paypаl", subdomain: "login" } }
 * normalizeHost("a b.com");
 * // => { ok: false, fault: "bad_character", message: "A host name cannot contain ` `, found in `a b.com`." }
 * ```
 */
export function normalizeHost(source: unknown): HostResult {
  if (typeof source !== "string")
    return fault("not_text", `A host name must be a string, found ${quote(source)}.`);
  const given = withoutTrailingDot(source.trim());
  if (given === "") return fault("empty", "A host name must not be empty.");
  if (given.length > 2 * maxHostLength) return tooLong(given);
  const host = foldText(given);
  return hostFault(host) ?? { ok: true, value: splitHost(host) };
}

function withoutTrailingDot(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

function fault(fault: HostFault, message: string): HostResult {
  return { ok: false, fault, message };
}

function tooLong(host: string): HostResult {
  return fault(
    "too_long",
    `A host name may have ${maxHostLength} characters, found ${host.length} in ${quote(host)}.`,
  );
}

/** The first thing wrong with a decoded and folded host. */
function hostFault(host: string): HostResult | undefined {
  const bad = badCharacter.exec(host)?.[0];
  if (bad !== undefined) {
    return fault("bad_character", `A host name cannot contain ${quote(bad)}, found in ${quote(host)}.`);
  }
  if (codePointLength(host) > maxHostLength) return tooLong(host);
  for (const label of host.split(".")) {
    if (label === "")
      return fault("empty_label", `A host name cannot have an empty label, found in ${quote(host)}.`);
    if (codePointLength(label) > maxLabelLength) {
      return fault("label_too_long", `A label may have ${maxLabelLength} characters, found ${quote(label)}.`);
    }
  }
  return undefined;
}

function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Takes a normalised host apart at its public suffix. */
export function splitHost(host: string): Host {
  const suffix = host.slice(host.length - suffixLength(host));
  const text = host.slice(0, Math.max(0, host.length - (suffix === "" ? 0 : suffix.length + 1)));
  const isAddress = suffix === "" && host.includes(".");
  const dot = text.lastIndexOf(".");
  if (text === "" || isAddress) return { host, suffix, text, label: undefined, subdomain: "" };
  return { host, suffix, text, label: text.slice(dot + 1), subdomain: text.slice(0, Math.max(0, dot)) };
}
