/** The sources that a zone transforms: its own hosts, and a list of others (`observed`; the syntax of ports is chosen). */
import { readUrl } from "../../../core/idna/url.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { problem, quote } from "../../../errors.ts";

/** Values of the setting: nothing is transformed, sources of the list, or any source. */
export const transformationModes = ["on", "off", "open"] as const;

/** A value of the setting. */
export type TransformationMode = (typeof transformationModes)[number];

/** An entry of the list. */
export interface AllowedOrigin {
  /** Lower case, with a port other than the usual one. */
  readonly host: string;
  /** Whether subdomains are allowed too. */
  readonly hasSubdomains: boolean;
  /** Start of paths, such as `/themes` of `/themes-2024` (`observed`); empty for all paths. */
  readonly path: string;
}

/** Maximum length of the list, in characters (chosen). */
export const maxOriginsLength = 8_192;

/**
 * Reads a list of entries `host[/path-prefix]`, separated by commas; `*.b.com` is b.com with its subdomains, `b.com` only
 * itself.
 *
 * @returns problems have code 10400
 * @example
 * ```ts
 * const read = parseAllowedOrigins("a.com/photos, *.b.com");
 * read.ok && read.value.map(({ host, hasSubdomains }) => [host, hasSubdomains]); // => [["a.com", false], ["b.com", true]]
 * ```
 */
export function parseAllowedOrigins(value: string): Result<readonly AllowedOrigin[]> {
  if (value.length > maxOriginsLength) {
    const message = `\`value\` must have at most ${maxOriginsLength} characters; found ${value.length}.`;
    return failure(problem(10400, message, "/value"));
  }
  const entries: AllowedOrigin[] = [];
  for (const text of value.split(",").map((part) => part.trim())) {
    if (text === "") continue;
    const entry = parseEntry(text);
    if (!entry) {
      const message = `\`value\` must be hosts such as \`example.com\`, \`*.example.com\` or \`example.com/photos\`, separated by commas; found ${quote(text)}.`;
      return failure(problem(10400, message, "/value"));
    }
    entries.push(entry);
  }
  return success(entries);
}

function parseEntry(text: string): AllowedOrigin | undefined {
  const hasSubdomains = text.startsWith("*.");
  const entry = /^((?:\[[\da-f:.]+\]|[^/?#@\\\s*:]+)(?::\d{1,5})?)(\/[^?#\\\s]*)?$/i;
  const [, host = "", path = ""] = entry.exec(hasSubdomains ? text.slice(2) : text) ?? [];
  const start = `https://${host}`;
  const url = host === "" ? undefined : readUrl(`${start}${path}`);
  return url && { host: url.host, hasSubdomains, path: path && url.pathname };
}

/** Whether a host is a zone, or under it. Both in any letter case. */
export function isInZone(hostname: string, zone: string): boolean {
  const [host, name] = [hostname.toLowerCase(), zone.toLowerCase()];
  return host === name || host.endsWith(`.${name}`);
}

/** Whether a zone transforms the image at a URL, when its setting is not `off`. */
export function isAllowedSource(
  url: URL,
  zone: string,
  mode: TransformationMode,
  origins: readonly AllowedOrigin[],
): boolean {
  if (mode === "off") return false;
  if (mode === "open") return true;
  // An entry without a port is one of the usual ports.
  if (isInZone(url.host, zone)) return true;
  return origins.some(({ host, hasSubdomains, path }) => {
    const isHost = hasSubdomains ? isInZone(url.host, host) : url.host === host;
    return isHost && url.pathname.startsWith(path);
  });
}
