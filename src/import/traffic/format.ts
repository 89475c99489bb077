/** Detects the format of a file of recorded requests from its first characters. */
import { accessLogs } from "./access-logs.ts";
import { startsAsHar } from "./har-start.ts";

/** The formats, with their names in messages. */
export const trafficFormats = {
  har: "HTTP archive (HAR)",
  logpush: "Logpush records (JSON Lines, or an array)",
  curl: "curl commands",
  postman: "Postman collection",
  nginx: "access log of nginx (combined)",
  alb: "access log of a load balancer (ALB)",
  cloudfront: "access log of CloudFront",
} as const;

/** A format of recorded requests. */
export type TrafficFormat = keyof typeof trafficFormats;

/** Length of the start that is looked at, in characters (`chosen`). */
export const detectionLength = 65_536;

/** The formats that are access logs. */
export const accessLogNames = Object.keys(accessLogs) as (keyof typeof accessLogs)[];

const postmanSchema = /"schema"\s*:\s*"https:\/\/schema\.(?:get)?postman\.com\/json\/collection\/v2\./;

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
  const log = accessLogNames.find((name) => accessLogs[name].start.test(text));
  if (log !== undefined) return log;
  if (/^\[\s*\{/.test(text)) return text.includes('"ClientRequest') ? "logpush" : undefined;
  if (!text.startsWith("{")) return undefined;
  if (postmanSchema.test(text)) return "postman";
  if (startsAsHar(text)) return "har";
  const [first = ""] = text.split("\n", 1);
  // A line with a whole object, or one that is longer than the start.
  return first.trimEnd().endsWith("}") || first.length === text.length ? "logpush" : "har";
}
