/** Masks the credentials of addresses in messages. */

const mask = "***";

/** Two slashes before a host; in a pointer they are escaped (RFC 6901). */
const slashes = "(?:/|~1){2}";
const character = "[^\\s/?#@\\\\\"'`<>]";
const user = `(?:(?!:)${character}){0,200}`;

/** The password before the host; of an address whose scheme has lost its colon, too. Bounds keep the search linear. */
const password = new RegExp(`(${slashes}${user}:)${character}(?:${character}|@){0,1000}@`, "g");

/** A token in place of a user name; the user of a database without a password is none. */
const token = new RegExp(`(?<!postgres(?:ql)?:)(${slashes})(?!:)${character}${user}:?@`, "g");

const parameter = /([?&;])([\w.~%-]{1,100})=[^\s&#"'`<>]+/g;

/** Names of query parameters whose values are secret. */
const secretName = /sig|token|key|secret|pass|pwd|auth|credential/i;

/** A text in which passwords, keys and tokens of addresses are `***`. */
export function maskSecrets(text: string): string {
  return text
    .replace(password, `$1${mask}@`)
    .replace(token, `$1${mask}@`)
    .replace(parameter, (all, before: string, name: string) =>
      secretName.test(name) ? `${before}${name}=${mask}` : all,
    );
}
