/** Detects the format of a file of recorded requests from its first characters. */

/** The formats, with their names in messages. */
export const trafficFormats = {
  har: "HTTP archive (HAR)",
  logpush: "Logpush records (JSON Lines)",
  curl: "curl commands",
} as const;

/** A format of recorded requests. */
export type TrafficFormat = keyof typeof trafficFormats;

/** Length of the start that is looked at, in characters (`chosen`). */
export const detectionLength = 65_536;

const curlCommand = /^\s*(?:#[^\n]*\n\s*|\$\s+)*(?:\$\s+)?(?:[^\s'"]*[\\/])?curl(?:\.exe)?\s/;

/**
 * The format of a text, from its start; undefined when it has another format.
 *
 * @example
 * ```ts
 * detectTrafficFormat("curl https://example.com/"); // => "curl"
 * ```
 */
export function detectTrafficFormat(start: string): TrafficFormat | undefined {
  const text = start.replace(/^\ufeff/, "").trimStart();
  if (curlCommand.test(text)) return "curl";
  if (!text.startsWith("{")) return undefined;
  if (/^\{\s*"log"\s*:/.test(text)) return "har";
  const [first = ""] = text.split("\n", 1);
  // A line with a whole object, or one that is longer than the start.
  return first.trimEnd().endsWith("}") || first.length === text.length ? "logpush" : "har";
}
