/** The address of a transformation, `/cdn-cgi/image/{options}/{source}`: the source is the rest as it was sent (`observed`). */
import { isUrl as isValidUrl } from "../../../core/idna/url.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { problem, quote } from "../../../errors.ts";

/** The parts of an address. */
export interface TransformAddress {
  /** The list of options, encoded. */
  readonly list: string;
  /** The source with its query, as it was sent. */
  readonly source: string;
}

/** Splits what follows `/cdn-cgi/image/`. Problems have code 9401. */
export function splitTransformAddress(rest: string): Result<TransformAddress> {
  const end = rest.indexOf("/");
  const [list, source] = end < 0 ? [rest, ""] : [rest.slice(0, end), rest.slice(end + 1)];
  if (list !== "" && source !== "") return success({ list, source });
  const message = `The address must have the format \`/cdn-cgi/image/{options}/{source}\`, with at least one option; found ${quote(rest)}.`;
  return failure(problem(9401, message));
}

/**
 * The URL of a source: an absolute path of the zone, whose leading slash may be missing, or an http(s) URL.
 *
 * @param origin origin of paths, such as `https://example.com`
 * @returns problems have code 9406 for another address, 9419 for one that is not encoded or has credentials
 * @example
 * ```ts
 * const url = resolveSource("photos/a.jpg?v=2", "https://example.com");
 * url.ok && url.value.href; // => "https://example.com/photos/a.jpg?v=2"
 * ```
 */
export function resolveSource(source: string, origin: string): Result<URL> {
  if (/[^\x21-\x7e]/.test(source))
    return failure(problem(9419, `The source must be percent-encoded; found ${quote(source)}.`));
  const isUrl = /^https?:\/\//i.test(source);
  if (!isUrl && (source.startsWith("//") || /^[a-z][a-z0-9+.-]*:/i.test(source)))
    return failure(notAllowed(source));
  // A path is appended, never resolved: it cannot name another host.
  const text = isUrl ? source : `${origin}/${source.replace(/^\//, "")}`;
  if (!isValidUrl(text) || !URL.canParse(text)) return failure(notAllowed(source));
  const url = new URL(text);
  url.hash = "";
  if (url.username === "" && url.password === "") return success(url);
  return failure(problem(9419, "The URL of a source must not have a user name or password."));
}

function notAllowed(source: string) {
  return problem(9406, `The source must be an absolute path or an http(s) URL; found ${quote(source)}.`);
}
