/** Prints a request as a curl command that POSIX shells read as the same request. */
import { shellWord } from "../../core/text/shell-word.ts";
import type { PlainRequest } from "../messages.ts";

/** Headers that curl sends unless it is asked not to. */
const ownHeaders: readonly string[] = ["accept", "user-agent"];

/** The header that curl adds to a body. */
const ownBodyHeader = "content-type";

/**
 * A curl command.
 *
 * @example
 * ```ts
 * printCurl({ method: "GET", url: "https://a.example/", headers: [["x-a", "it's"]] });
 * // => "curl https://a.example/ \\\n  -H 'x-a: it'\\''s' \\\n  -H accept: \\\n  -H user-agent:"
 * ```
 */
export function printCurl({ method, url, headers, body }: PlainRequest): string {
  const { host } = new URL(url);
  const given = headers.filter(([name, value]) => !(name.toLowerCase() === "host" && value === host));
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const own = body === undefined ? ownHeaders : [...ownHeaders, ownBodyHeader];
  const removed = own.filter((name) => !names.has(name));
  return [
    `curl ${shellWord(url)}`,
    ...(method === "GET" && body === undefined
      ? []
      : [method === "HEAD" && body === undefined ? "--head" : `-X ${shellWord(method)}`]),
    ...(/[[\]{}]/.test(url) ? ["--globoff"] : []),
    ...given.map(([name, value]) => `-H ${shellWord(value === "" ? `${name};` : `${name}: ${value}`)}`),
    ...removed.map((name) => `-H ${shellWord(`${name}:`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellWord(body)}`]),
  ].join(" \\\n  ");
}
