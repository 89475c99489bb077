/** Host normalization: from a given name to its parts in the form that is compared (`chosen`, docs/interface/brand.md). */
import { failure, type Result, success } from "../../../core/result.ts";
import { quote } from "../../../errors.ts";
import { foldText } from "./fold.ts";
import { suffixLength } from "./public-suffix.ts";

/** Maximum length of a host name, in code points of the decoded name (RFC 1035 section 2.3.4). */
export const maxHostLength = 253;
/** Maximum length of a label, in code points of the decoded label (RFC 1035 section 2.3.4). */
export const maxLabelLength = 63;

/** Code points that are not allowed: ASCII except letters, digits, `-`, `_`, `*` and dot; controls, blanks, lone surrogates. */
export const invalidCharacter = /[\0-)+,/:-@[-^`{-\x7f]|[\p{Cc}\p{Cs}\p{Z}\ufffd]/u;

/** A normalized host and its parts. */
export interface Host {
  /** The whole host: decoded, NFKC, case folded, without the trailing dot. */
  readonly host: string;
  /** The public suffix; empty when there is none. */
  readonly suffix: string;
  /** The host without its public suffix and the dot before it. */
  readonly text: string;
  /** The label left of the public suffix; undefined for a bare suffix and for an address. */
  readonly label: string | undefined;
  /** The labels left of the registrable label, without the dot between them and it. */
  readonly subdomain: string;
}

/** Why a value is not a host name. */
export type HostProblemReason =
  | "not_string"
  | "empty"
  | "too_long"
  | "invalid_character"
  | "empty_label"
  | "label_too_long";

/** The first problem of a value that is not a host name. */
export interface HostProblem {
  /** Why the value is not a host name. */
  readonly reason: HostProblemReason;
  /** One sentence: what was found, and what is allowed. */
  readonly message: string;
}

/** A host, or its first problem. */
export type HostResult = Result<Host, HostProblem>;

/**
 * Normalizes a host name and splits it. Never throws; returns a failure for a value that is not a host name.
 *
 * @example
 * ```ts
 * normalizeHost("Login.XN--PAYPL-7VE.co.uk.");
 * // => { ok: true, value: { host: "login.paypаl.co.uk", suffix: "co.uk", text: "login.paypаl", label: "paypаl", subdomain: "login" } }
 * normalizeHost("a b.com");
 * // => { ok: false, problems: [{ reason: "invalid_character", message: "A host name cannot contain ` `; found `a b.com`." }] }
 * ```
 */
export function normalizeHost(source: unknown): HostResult {
  if (typeof source !== "string")
    return reject("not_string", `A host name must be a string; found ${quote(source)}.`);
  const given = withoutTrailingDot(source.trim());
  if (given === "") return reject("empty", "A host name must not be empty.");
  if (given.length > 2 * maxHostLength) return tooLong(given);
  const host = foldText(given);
  return findProblem(host) ?? success(splitHost(host));
}

function withoutTrailingDot(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

function reject(reason: HostProblemReason, message: string): HostResult {
  return failure({ reason, message });
}

function tooLong(host: string): HostResult {
  const found = `found ${host.length} in ${quote(host)}`;
  return reject("too_long", `A host name must be at most ${maxHostLength} characters; ${found}.`);
}

/** The first problem of a decoded and folded host. */
function findProblem(host: string): HostResult | undefined {
  const invalid = invalidCharacter.exec(host)?.[0];
  if (invalid !== undefined) {
    return reject("invalid_character", `A host name cannot contain ${quote(invalid)}; found ${quote(host)}.`);
  }
  if (codePointLength(host) > maxHostLength) return tooLong(host);
  for (const label of host.split(".")) {
    if (label === "")
      return reject("empty_label", `A host name cannot have an empty label; found ${quote(host)}.`);
    const length = codePointLength(label);
    if (length > maxLabelLength) {
      const found = `found ${length} in ${quote(label)}`;
      return reject("label_too_long", `A label must be at most ${maxLabelLength} characters; ${found}.`);
    }
  }
  return undefined;
}

function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Splits a normalized host at its public suffix. */
export function splitHost(host: string): Host {
  const suffix = host.slice(host.length - suffixLength(host));
  const text = host.slice(0, Math.max(0, host.length - (suffix === "" ? 0 : suffix.length + 1)));
  const isAddress = suffix === "" && host.includes(".");
  const dot = text.lastIndexOf(".");
  if (text === "" || isAddress) return { host, suffix, text, label: undefined, subdomain: "" };
  return { host, suffix, text, label: text.slice(dot + 1), subdomain: text.slice(0, Math.max(0, dot)) };
}
