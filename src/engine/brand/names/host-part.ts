/** The host name in what feeds have for one: a URL, a host with a port, a wildcard, a defanged name (`chosen`). */

const plainName = /^[\w.-]*$/;
const scheme = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
/** The end of the authority of a URL (RFC 3986 section 3.2). */
const authorityEnd = /[/?#\\]/;
const port = /:\d{0,5}$/;
/** How reports write dots and colons, so that a link is not followed by mistake: `evil[.]com`, `hxxp[:]//evil(.)com`. */
const defangedDot = /\[\.\]|\(\.\)|\[dot\]|\(dot\)/gi;
const defangedColon = /\[:(?:\/\/)?\]/g;

/**
 * The part of a string that is a host name: without scheme, user information, port, path, query and fragment, and
 * without a leading `*.`, and with the dots of `evil[.]com`. A string that has none of them is returned unchanged, whether it is a host name or not.
 *
 * @example
 * ```ts
 * hostPartOf("https://user@Login.Example.com:8443/path?a=b"); // => "Login.Example.com"
 * hostPartOf("*.example.com"); // => "example.com"
 * ```
 */
export function hostPartOf(given: string): string {
  if (plainName.test(given)) return given;
  const text = given
    .trim()
    .replace(defangedDot, ".")
    .replace(defangedColon, (colon) => colon.slice(1, -1));
  const start = scheme.exec(text)?.[0].length ?? 0;
  const rest = text.slice(start);
  const end = rest.search(authorityEnd);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const user = start === 0 ? -1 : authority.lastIndexOf("@");
  const host = authority.slice(user + 1).replace(port, "");
  // A path without a host, such as `/index.html`, stays as it is and is reported.
  if (host === "") return given;
  return host.startsWith("*.") ? host.slice(2) : host;
}

const marks = /[\u00ae\u2122\u2120\u00a9\u2117]/g;
const www = /^www\.(?=.*\.)/i;

/** The name in a pasted pattern: a URL, `www.`, a wildcard, a name with a trade mark; the pattern itself when nothing is left of it (`chosen`). */
export function patternPartOf(given: string): string {
  const part = hostPartOf(given.replace(marks, "").trim()).replace(www, "");
  return part === "" || part.trim() === given.trim() ? given : part;
}
