/** Ids in references: as written and, where that differs, decoded as URL parsers do. */

/** The ids of all `url(#id)` in a value. */
export function urlFragments(value: string): string[] {
  return [...value.matchAll(/url\(\s*["']?#([^"'()\s]*)/gi)].flatMap(([, id = ""]) => withDecoded(id));
}

/** A written id, and the decoded one where it differs. */
export function withDecoded(written: string): string[] {
  const decoded = decodePercents(written);
  return written === decoded ? [written] : [written, decoded];
}

/** Decodes as URL parsers do: invalid sequences stay unchanged. */
function decodePercents(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
