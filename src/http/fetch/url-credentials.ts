/** The credentials in a URL, as a header of HTTP Basic authentication (RFC 7617). */
import { decodePercents } from "../../core/text/percent-decoding.ts";

/** A URL without its credentials, and the header that sends them. */
export interface SplitUrl {
  readonly url: URL;
  /** Value of `Authorization`; undefined without credentials. */
  readonly authorization?: string;
}

/** @throws {Error} when Basic authentication cannot send the credentials */
export function splitCredentials(source: URL): SplitUrl {
  const { username, password } = source;
  if (username === "" && password === "") return { url: source };
  const [user, secret] = [decode(username), decode(password)];
  if (user.includes(":")) throw new Error("the user name in the URL must not contain a colon");
  const url = new URL(source);
  url.username = "";
  url.password = "";
  return { url, authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}` };
}

/** @throws {Error} for escapes that are not UTF-8, and control characters (RFC 7617, 2) */
function decode(part: string): string {
  const decoded = decodePercents(part);
  if (decoded === undefined) throw new Error("the credentials in the URL must be percent-encoded UTF-8");
  if (/\p{Cc}/u.test(decoded))
    throw new Error("the credentials in the URL must not contain control characters");
  return decoded;
}
