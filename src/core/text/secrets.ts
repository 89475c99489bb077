/**
 * Hides secrets in what people and logs see: passwords of addresses, and what parameters, headers and members hold whose
 * names say that it is secret. Values are masked before they are printed: in a printed document a mask could take a quote
 * or an escape with it.
 */
import { decodePercents } from "./percent-decoding.ts";

/** The text in the place of a secret. */
export const mask = "***";

/** Parts of the names of secrets. */
const secretPart = /sig|token|key|secret|pass|pwd|auth|credential|jwt|session|sessid|assertion/;

/** Names of secrets that are parts of other words, too. */
const secretWord = /(?:^|[^a-z])(?:sid|code|otp|pin)(?:$|[^a-z])/;

/** Usual words with such a part. */
const usualWord = /authors?(?!i)|keywords?|keyboard|design|signal|signup|insight|compass/g;

/**
 * Whether a parameter, a header or a cookie of a name holds a secret.
 *
 * @example
 * ```ts
 * isSecretName("X-Api-Key"); // => true
 * isSecretName("author"); // => false
 * ```
 */
export function isSecretName(name: string): boolean {
  const lower = (decodePercents(name) ?? name).toLowerCase();
  const rest = lower.replace(usualWord, "");
  return secretPart.test(rest) || secretWord.test(lower);
}

/** Members of documents that hold a secret. Other names of secrets, such as `token`, are also those of public members. */
const secretMembers: ReadonlySet<string> = new Set([
  "authorization",
  "proxyauthorization",
  "password",
  "passwd",
  "secret",
  "clientsecret",
  "apikey",
  "xapikey",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "privatekey",
]);

/** Members whose own members are named by requests. */
const namedByRequests: ReadonlySet<string> = new Set(["headers", "cookies"]);

/** The header of the tokens that stand for valid ones in generated requests: `{"alg":"placeholder"}`, in each of its spellings. */
const placeholderToken =
  /eyJ(?:hbGciOiJwbGFjZWhvbGRlciJ9|hbGciOiJQTEFDRUhPTERFUiJ9|4Ijp0cnVlfQ|6IjpmYWxzZX0)\./;

function maskNamed(name: string, value: string): string {
  return value !== "" && isSecretName(name) && !placeholderToken.test(value) ? mask : value;
}

/**
 * The scheme and the slashes before a host, which are escaped in a pointer (RFC 6901), and what is before the path. A
 * scheme may have lost its colon; one of HTTP its slashes. It matches wherever there are slashes, so that the search is
 * linear.
 */
const authority = /(?:(https?:)((?:[/\\]|~1)*)|(postgres(?:ql)?:?)?((?:[/\\]|~1){2,}))([^\s/?#\\"'`<>]*)/gi;

const encodedAuthority = /(https?%3a(?:%2f){1,2})[^\s/?#%"'`<>]*(?:%(?!2f)[^\s/?#%"'`<>]*)*%40/gi;

/** A parameter whose mark is encoded, as in the path of an address. */
const encodedParameter =
  /(%3f|%26)([^\s=%?&;#"'`<>\\/]{1,100})(=|%3d)(?!%26)(?=[^\s&#"'`<>\\/])([^\s%&#"'`<>\\/]*(?:%(?!26)[^\s%&#"'`<>\\/]*)*)/gi;

/** Parameters in a text: the beginning of each, and its value. */
const inText = {
  start: /(?:^|[?&;#"'`])([^\s=?&;#"'`<>\\/]{1,100})=/g,
  value: /[^\s&#"'`<>\\]*(?:\\(?!["'`])[^\s&#"'`<>\\]*)*/y,
};

/** The same in the path of an address. */
const inPath = { start: /[/;&]([^\s=;&/"'`<>\\]{1,100})=/g, value: /[^\s&]*/y };

/** A line that begins with an address, or with a method and an address. */
const onlyAddress = /^(?:[A-Z-]{1,32} )?[a-zA-Z][a-zA-Z0-9+.-]{0,32}:\/\/[^\s][^\r\n]*$/;

/**
 * A text in which passwords of addresses and secret parameters are `***`. A line that begins with an address is one.
 *
 * @param text a value: a message, a name, an address; not a printed document
 */
export function maskText(text: string): string {
  return onlyAddress.test(text) ? maskAddress(text) : maskInside(text);
}

/** The secrets of the addresses and of the expressions in a text. */
function maskInside(text: string): string {
  return maskParameters(maskUsers(maskLiterals(text)), inText);
}

/** The part of a request or the members of JSON that an expression reads by names, and the call whose first argument is a key. */
const namedValue =
  /\b(?:(?:headers|cookies|args|form)\["([^"\r\n]{1,100})"\]|lookup_json_string\(((?:[^()\r\n]|\([^()\r\n]{0,100}\)){1,300})\)|is_timed_hmac_valid_v0\()/gi;

/** Whatever may be between such a part and a literal that it is compared with: indexes, ends of calls, and operators. */
const between =
  /(?:\[(?:\*|\d{1,9})\]|[-\s\d(),{}<>=!~&]|(?:strict|wildcard|contains|matches|eq|ne|lt|le|gt|ge|in)\b)*/iy;

/** A literal; the end of a text that was cut ends it, too. */
const literal = /(r(#{0,255})")([^"]*(?:"(?!\2)[^"]*)*)(?:"\2)?|(")([^"\\\r\n]*(?:\\.[^"\\\r\n]*)*)"?/sy;

/** A text in which the literals that expressions compare with values of secret names are `***`. */
function maskLiterals(text: string): string {
  if (!text.includes('"')) return text;
  let masked = "";
  let from = 0;
  for (const { 0: part, 1: field, 2: members, index } of text.matchAll(namedValue)) {
    const name = field ?? (members === undefined ? "key" : namesIn(members));
    if (index < from || !isSecretName(name)) continue;
    let at = index + part.length;
    for (let next = literalAfter(text, at); next !== undefined; next = literalAfter(text, at)) {
      masked += text.slice(from, next.start) + (next.value === "" ? "" : maskNamed(name, next.value));
      from = next.start + next.value.length;
      at = next.end;
    }
  }
  return masked + text.slice(from);
}

/** The names in the arguments of a look-up; the id of the configuration of a claim is not one. */
function namesIn(members: string): string {
  return Array.from(members.matchAll(/(?<!claims\[)"([^"]*)"/g), ([, name = ""]) => name).join(" ");
}

/** The literal after a part of an expression, without another part between them. */
function literalAfter(text: string, at: number) {
  between.lastIndex = at;
  literal.lastIndex = at + (between.exec(text)?.[0].length ?? 0);
  const found = literal.exec(text);
  if (found === null) return undefined;
  const [all, rawStart, , raw = "", start, plain = ""] = found;
  const opening = rawStart ?? start ?? "";
  return { start: found.index + opening.length, value: raw || plain, end: found.index + all.length };
}

/** A text without the values of secret parameters. Other values can have parameters of their own. */
function maskParameters(text: string, { start, value }: typeof inText): string {
  let masked = "";
  let from = 0;
  for (const { 0: all, 1: name = "", index } of text.matchAll(start)) {
    if (index < from || !isSecretName(name)) continue;
    value.lastIndex = index + all.length;
    const found = value.exec(text)?.[0] ?? "";
    masked += text.slice(from, index + all.length) + maskNamed(name, found);
    from = index + all.length + found.length;
  }
  return masked + text.slice(from);
}

/** An address, or a target of a request, without its secrets; each parameter ends at `&` alone. */
export function maskAddress(address: string): string {
  const [beforeFragment = "", ...fragment] = address.split("#");
  const [place = "", ...query] = beforeFragment.split("?");
  const path = maskParameters(maskUsers(place), inPath);
  const masked = query.length === 0 ? path : `${path}?${maskQuery(query.join("?"))}`;
  return [masked, ...fragment.map(maskQuery)].join("#");
}

/** Parameters as they are in a query and in a form. */
export function maskQuery(query: string): string {
  return maskPairs(query, "&");
}

/** Pairs of a name and a value, such as those of the header `cookie`. */
export function maskPairs(text: string, separator: "&" | ";"): string {
  return text
    .split(separator)
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      if (value.length === 0) return maskUsers(pair);
      const whole = value.join("=");
      const masked = maskNamed(name, whole);
      // A line that goes on after its address has another address there.
      return `${maskUsers(name)}=${masked === whole ? maskInside(whole) : masked}`;
    })
    .join(separator);
}

/** A member of a JSON text. */
const jsonMember = /"([^"\\]{1,100})"\s{0,20}:\s{0,20}("[^"\\]*(?:\\.[^"\\]*)*"?|[^\s,}\]]+)/gs;

/** The body of a request, JSON or a form, without its secrets. */
export function maskBody(body: string): string {
  if (!/^\s{0,100}[[{]/.test(body)) return maskQuery(body);
  return body.replace(jsonMember, (all, name: string, value: string) =>
    isSecretName(name) && value !== "" ? `"${name}":"${mask}"` : all,
  );
}

/** Shorter values of headers are no secrets: generated requests have fillers such as `x`. */
const minHeaderLength = 6;

/** The value of a header without its secrets. */
export function maskHeader(name: string, value: string): string {
  const masked = value.length < minHeaderLength ? value : maskNamed(name, value);
  if (masked !== value) return masked;
  return /^(?:set-)?cookie$/i.test(name) ? maskPairs(value, ";") : maskText(value);
}

/** The users and passwords of addresses, and encoded parameters; the user of a database is kept. */
function maskUsers(text: string): string {
  return text
    .replace(authority, maskUser)
    .replace(encodedAuthority, `$1${mask}%40`)
    .replace(
      encodedParameter,
      (_all, before: string, name: string, sign: string, value: string) =>
        `${before}${name}${sign}${maskNamed(name, value)}`,
    );
}

function maskUser(
  all: string,
  scheme = "",
  afterScheme = "",
  database = "",
  slashes = "",
  named = "",
): string {
  const end = named.lastIndexOf("@");
  const user = named.slice(0, Math.max(end, 0));
  if (user === "" || user === ":" || user.endsWith(`:${mask}`)) return all;
  const start = scheme + afterScheme + database + slashes;
  const colon = user.indexOf(":");
  const hasPassword = colon >= 0 && colon < user.length - 1;
  if (database === "") return `${start}${mask}${named.slice(end)}`;
  return hasPassword ? `${start}${user.slice(0, colon + 1)}${mask}${named.slice(end)}` : all;
}

/**
 * A value as it may be printed: each text in it without secrets, headers and cookies by their names, and members that
 * hold secrets. Objects with `toJSON` become their plain form; other values are kept.
 *
 * @example
 * ```ts
 * maskValue({ url: "https://example.com/?api_key=abc", headers: [["authorization", "Bearer abc"]] });
 * // => { url: "https://example.com/?api_key=***", headers: [["authorization", "***"]] }
 * ```
 */
export function maskValue<T>(value: T): T {
  return maskPart(value) as T;
}

function maskPart(value: unknown): unknown {
  if (typeof value === "string") return maskText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(maskPart);
  if ("toJSON" in value && typeof value.toJSON === "function") return maskPart(value.toJSON());
  const entries = Object.entries(value).map(([name, member]) => [maskText(name), maskMember(name, member)]);
  return Object.fromEntries(entries);
}

function maskMember(name: string, member: unknown): unknown {
  if (typeof member === "string" && name === "body") return maskBody(member);
  if (typeof member === "string")
    return secretMembers.has(name.toLowerCase().replace(/[-_]/g, ""))
      ? maskNamed("secret", member)
      : maskText(member);
  return namedByRequests.has(name) ? maskHeaders(member) : maskPart(member);
}

/** Headers as an object, or as a list of pairs. */
function maskHeaders(headers: unknown): unknown {
  const ofHeader = (name: string, value: unknown): unknown => {
    if (typeof value === "string") return maskHeader(name, value);
    return Array.isArray(value) ? value.map((element) => ofHeader(name, element)) : maskPart(value);
  };
  if (Array.isArray(headers))
    return headers.map((header: unknown) =>
      Array.isArray(header) && typeof header[0] === "string"
        ? [maskText(header[0]), ...header.slice(1).map((value) => ofHeader(String(header[0]), value))]
        : maskPart(header),
    );
  if (typeof headers !== "object" || headers === null) return maskPart(headers);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ofHeader(name, value)]));
}
