/**
 * The public suffix of a name, by the Public Suffix List in `tldts`, including private suffixes (`chosen`).
 */
import { getPublicSuffix, parse } from "tldts";

const listOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const;

/** The public suffix of a text by a rule of the list; empty when only the list's default rule applies. */
export function listedSuffix(text: string): string {
  const { publicSuffix, isIcann, isPrivate } = parse(text, listOptions);
  return isIcann || isPrivate ? (publicSuffix ?? "") : "";
}

/**
 * Length in UTF-16 units of a normalized host's public suffix.
 *
 * 0 for an address, and for a single label that is not in the list: such a label is the name itself, although the
 * list's default rule makes it a suffix (`chosen`).
 */
export function suffixLength(host: string): number {
  const suffix = getPublicSuffix(host, listOptions);
  return suffix === host ? listedSuffix(host).length : (suffix?.length ?? 0);
}
