/** URLs whose internationalized hosts are read by the tables of this package, and all else by the runtime. */
import { decodePercents } from "../text/percent-decoding.ts";
import { domainToAscii, isInternationalized } from "./host.ts";

/** The parts of an absolute URL, as the URL standard normalizes them. */
export interface UrlParts extends Readonly<Pick<URL, "protocol" | "hostname" | "pathname" | "search">> {
  /** The host with its port, unless that is the default one. */
  readonly host: string;
}

/** Up to the host, with slashes, user and password; the host without port, except of IPv6 addresses. */
const start = /^([\0-\x20]*https?:[/\\]*(?:[^/\\?#]*@)?)([^/\\?#:]*)/i;

/** Reads an absolute URL; undefined when it is not one, or its host is not valid. */
export function readUrl(text: string): UrlParts | undefined {
  // The URL standard removes these.
  const cleaned = text.replace(/[\t\n\r]/g, "");
  const [whole = "", before = "", given = ""] = start.exec(cleaned) ?? [];
  // Bytes other than UTF-8 stay encoded, and are not valid in a host.
  const decoded = decodePercents(given) ?? given;
  if (!isInternationalized(decoded)) return URL.canParse(text) ? new URL(text) : undefined;
  const hostname = domainToAscii(decoded);
  // Another host, so that the runtime reads the rest only.
  const rest = `${before}h${cleaned.slice(whole.length)}`;
  if (hostname === "" || !URL.canParse(rest)) return undefined;
  const { protocol, port, pathname, search } = new URL(rest);
  return { protocol, hostname, host: port === "" ? hostname : `${hostname}:${port}`, pathname, search };
}

/** Whether a string is an absolute URL with a valid host. */
export function isUrl(text: string): boolean {
  return readUrl(text) !== undefined;
}
