/** Names of one's own, which are never matches (`chosen`). */
import { quote } from "../../../errors.ts";
import { normalizeHost } from "./host.ts";

/** Whether a normalized host is one of the own domains, or a subdomain of one. */
export type IsOwnName = (host: string) => boolean;

/** Reads a list of domains. @throws {TypeError} for one that is not a host name, and for a public suffix, with its position */
export function readOwnNames(domains: readonly string[]): IsOwnName {
  const own = new Set<string>();
  for (const [i, domain] of domains.entries()) {
    const problem = ownNameProblem(domain);
    if (problem !== undefined) throw new TypeError(`\`own[${i}]\`: ${problem}`);
    const result = normalizeHost(domain);
    if (result.ok) own.add(result.value.host);
  }
  return (host) => {
    for (let at = 0; own.size > 0 && at >= 0; at = host.indexOf(".", at + 1))
      if (own.has(at === 0 ? host : host.slice(at + 1))) return true;
    return false;
  };
}

/** The problem of an own domain; undefined for a valid one. */
export function ownNameProblem(domain: unknown): string | undefined {
  const result = normalizeHost(domain);
  if (!result.ok) return result.problems[0].message;
  const { host, text } = result.value;
  if (text !== "") return undefined;
  return `An own domain must not be a public suffix, because the names of others end with it; found ${quote(domain)}. Name a domain below it, such as \`example.${host}\`.`;
}
