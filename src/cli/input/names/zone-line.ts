/** Lines of zone files (RFC 1035 section 5.1) and of hosts files: names among other words (`chosen`). */

/** The types of records that zone files have; `TYPE65534` is RFC 3597. */
const types =
  "A|AAAA|CAA|CDNSKEY|CDS|CNAME|DNAME|DNSKEY|DS|HINFO|HTTPS|LOC|MX|NAPTR|NS|NSEC|NSEC3|NSEC3PARAM|PTR|RRSIG|SOA|SRV|SSHFP|SVCB|TLSA|TXT|TYPE\\d+";
/** Time to live and class in any order, then the type. */
const fields = `(?:(?:\\d+[smhdw]?|IN|CH|HS)\\s+)*(?:${types})\\s+\\S`;
const record = new RegExp(`^(\\S+)\\s+${fields}`, "i");
const sameOwner = new RegExp(`^\\s+${fields}`, "i");
/** A second word in lower case other than a class, after a word without a dot at the end: `not a name` is not a record of type A. */
const isSentence = /^(?!@)\S*[^\s.]\s+(?!(?:in|ch|hs)\s)[a-z]/;
const directive = /^\$(?:ORIGIN|TTL|INCLUDE|GENERATE)\s/i;
const hostsLine = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*(?:%\w+)?)\s+(\S.*)$/i;

/** The names of a line, each without its dot at the end; undefined for a line that is neither of the two. */
export function readZoneLine(text: string): readonly string[] | { readonly message: string } | undefined {
  if (directive.test(text) || /^\s*;/.test(text) || sameOwner.test(text)) return [];
  const owner = record.exec(text)?.[1];
  if (owner !== undefined && !isSentence.test(text)) return readOwner(owner);
  const names = hostsLine.exec(text.trim())?.[1];
  return names
    ?.split("#", 1)[0]
    ?.split(/\s+/)
    .filter((name) => name !== "");
}

function readOwner(owner: string): readonly string[] | { readonly message: string } {
  if (owner === "@" || owner === ".") return [];
  if (owner.endsWith(".")) return [owner.slice(0, -1)];
  return { message: `An owner name of a zone file must end with a dot; found \`${owner}\`.` };
}

/** Names that are remembered, so that a name with many records is read once. */
const maxRemembered = 1_000_000;

/** Makes a function that says whether a name is new; it forgets all of them after a million. */
export function createNewNames(): (name: string) => boolean {
  let seen = new Set<string>();
  return (name) => {
    const key = name.toLowerCase();
    if (seen.has(key)) return false;
    if (seen.size >= maxRemembered) seen = new Set();
    seen.add(key);
    return true;
  };
}
