/** The messages of `JSON.parse`. */

const suffix = " is not valid JSON";

/** A message without the excerpt of the text that it contains, which may be a secret. */
export function withoutExcerpt(message: string): string {
  const start = message.indexOf('"');
  if (!message.endsWith(suffix) || start < 0 || start === message.lastIndexOf('"')) return message;
  const before = message.slice(0, start);
  const reason = before.endsWith("...") ? before.slice(0, -3) : before;
  return reason.endsWith(", ") ? reason.slice(0, -2) : reason;
}
