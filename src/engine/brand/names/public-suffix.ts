/**
 * Where a name's public suffix begins, by the Public Suffix List as `tldts` carries it, private suffixes included (`chosen`).
 */
import { parse } from "tldts";

const listOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const;

/**
 * Length in UTF-16 units of a normalised host's public suffix.
 *
 * 0 for an address, which has none, and for a single label that the list does not name: such a label is the name
 * itself, although the list's default rule would call it a suffix (`chosen`).
 */
export function suffixLength(host: string): number {
  const { publicSuffix, isIcann, isPrivate } = parse(host, listOptions);
  const listed = isIcann || isPrivate || publicSuffix !== host;
  return listed ? (publicSuffix?.length ?? 0) : 0;
}
