/** Addresses of endpoints, from their templates. */
import type { Endpoint } from "../../src/http/endpoints/endpoint.ts";
import { type WireNames, wireNames } from "../../src/http/wire-names.ts";

/** The address of an endpoint, with values for its parameters; `1` for those that have none. */
export function addressOf(
  { path, mount }: Pick<Endpoint, "path" | "mount">,
  values: Readonly<Record<string, string>>,
  wire: WireNames = wireNames.spec,
): string {
  const own = path
    .replace("{intel}", wire.intel)
    .replace("{app_service}", wire.app_service)
    .replaceAll(/\{(\w+)\+?\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? "1"));
  return `https://edge.test${mount === "origin" ? "" : "/client/v4"}${own}`;
}
