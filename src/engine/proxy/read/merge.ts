/** PATCH: merges a change into a stored application (`chosen`; similar to RFC 7396). */
import { anyObject, requireArguments } from "../../../core/arguments.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import type { App } from "../model.ts";
import { type MemberName, type Members, memberNames } from "./decode.ts";

/** Members whose own members are merged one by one. */
const deep: ReadonlySet<MemberName> = new Set(["dns", "origin_dns", "edge_ips"]);

/**
 * Merges a change into an application. Members of the change win, null clears, `dns`, `origin_dns` and `edge_ips` are merged
 * member by member (a new edge type replaces all of `edge_ips`), and setting one of `origin_direct` and `origin_dns` removes
 * the other. Unknown members are ignored; the result is not validated.
 *
 * @example
 * ```ts
 * const body = { protocol: "tcp/22", dns: { name: "ssh.example.com" }, origin_direct: ["tcp://192.0.2.1:22"] };
 * const stored = validateApp(body).app!;
 * mergeApp(stored, { origin_dns: { name: "origin.example.com" }, origin_port: 22 }).origin_direct; // => undefined
 * ```
 */
export function mergeApp(previous: App, patch: Readonly<Partial<Members>>): Record<string, unknown> {
  requireArguments({ previous: [previous, anyObject], patch: [patch, anyObject] });
  const out: Record<string, unknown> = {};
  const stored: Readonly<Partial<Members>> = previous;
  for (const name of memberNames) {
    const value = Object.hasOwn(patch, name) && patch[name] !== undefined ? patch[name] : stored[name];
    if (value === undefined || value === null) continue;
    out[name] = value === stored[name] || !deep.has(name) ? value : mergedMember(name, stored[name], value);
  }
  if (setsOrigin(patch, "origin_direct") && !setsOrigin(patch, "origin_dns")) delete out["origin_dns"];
  if (setsOrigin(patch, "origin_dns") && !setsOrigin(patch, "origin_direct")) delete out["origin_direct"];
  return out;
}

function mergedMember(name: MemberName, stored: unknown, change: unknown): unknown {
  if (!isJsonObject(stored) || !isJsonObject(change)) return change;
  const type = change["type"];
  if (name === "edge_ips" && type !== undefined && type !== stored["type"]) return change;
  return Object.fromEntries(Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null));
}

/** Whether a change sets an origin; null and an empty array only clear it. */
function setsOrigin(patch: Readonly<Partial<Members>>, origin: "origin_direct" | "origin_dns"): boolean {
  const value = Object.hasOwn(patch, origin) ? patch[origin] : undefined;
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
