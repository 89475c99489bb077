/** Parameters of content types, and the encodings of bodies that are accepted. */

import { integerText, parseInteger } from "../../core/text/typed-values.ts";
import { ApiError, problem, quote, quoteText } from "../../errors.ts";

const parameters = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^;]*))/g;

/** The value of a parameter of a content type; undefined when it is missing. */
export function parameterOf(contentType: string, name: string): string | undefined {
  for (const [, key = "", quoted, plain] of contentType.matchAll(parameters)) {
    if (key.toLowerCase() === name) return quoted?.replaceAll(/\\(.)/g, "$1") ?? plain?.trim();
  }
  return undefined;
}

/** Charsets of a request whose bytes are UTF-8. */
const utf8Charset = /^(?:utf-?8|us-ascii)$/i;

/**
 * Rejects a body that is compressed, or in another charset than UTF-8.
 *
 * @throws {ApiError} 10415
 */
export function assertBodyEncoding(request: Request): void {
  // The Fetch standard gives these methods no body.
  if (request.method === "GET" || request.method === "HEAD") return;
  const found = encodingProblem(request.headers);
  // Looked at last: reading `body` creates a stream.
  if (found !== undefined && request.body) throw new ApiError(problem(10415, found));
}

/** @throws {ApiError} 10400 for a Content-Length with a leading zero, which RFC 9110 allows and no client sends (`chosen`) */
export function assertContentLength({ headers }: Request): void {
  const length = headers.get("content-length");
  if (length === null || parseInteger(length) !== undefined) return;
  throw new ApiError(
    problem(10400, `The header \`Content-Length\` must be ${integerText}; found ${quoteText(length)}.`),
  );
}

function encodingProblem(headers: Headers): string | undefined {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && !/^(?:[\s,]*identity)*[\s,]*$/i.test(encoding))
    return `The header \`Content-Encoding\` is ${quote(encoding)}; the body must be sent as it is (\`identity\`).`;
  const charset = parameterOf(headers.get("content-type") ?? "", "charset");
  if (charset === undefined || utf8Charset.test(charset)) return undefined;
  return `The charset in the header \`Content-Type\` is ${quote(charset)}; it must be \`utf-8\`.`;
}
