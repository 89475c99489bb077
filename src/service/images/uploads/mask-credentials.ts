/** Hides `user:password@` of URLs in messages. */

const mask = "***";

/** A text with the credentials of every URL in it replaced by `***`. */
export function maskCredentials(text: string): string {
  // A user name and a password end at the last `@` before the path.
  return text.replace(/(\b[a-z][a-z\d+.-]{0,20}:[\\/]*)[^\s/?#\\"'`<>]+@/gi, `$1${mask}@`);
}
