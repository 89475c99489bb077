/** The hosts that a rule selects. */
import type { ResourceOf } from "../reading.ts";

/** In lower case, in the order of the selector. */
export function hostsOf({ value: { selector } }: ResourceOf<"token_rule">): readonly string[] {
  const { include } = selector ?? {};
  if (!Array.isArray(include)) return [];
  const hosts = include.flatMap(({ host }: { readonly host?: unknown }) => (Array.isArray(host) ? host : []));
  return hosts.filter((host) => typeof host === "string").map((host) => host.toLowerCase());
}
