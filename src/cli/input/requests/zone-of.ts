/** The zone of a request of a file: the one that it names, the selected one, or that of its host. */

import { didYouMean } from "../../../core/suggest.ts";
import { readTarget } from "../../../engine/tokens/zone/target.ts";
import { createZoneOfHost, hasDomain } from "../../../engine/tokens/zone/zone-of-host.ts";
import type { World } from "../../../service/world/schema.ts";
import { UsageError } from "../../command.ts";
import type { RequestLine } from "./requests-file.ts";

type Zones = NonNullable<World["zones"]>;

/**
 * Finds the zones of requests: their ids, and undefined for a host of no zone.
 *
 * @throws {UsageError} when a request or the option names a zone that does not exist
 */
export function zonesOf(
  requests: readonly RequestLine[],
  { zones = [] }: World,
  selected: string | undefined,
): readonly (string | undefined)[] {
  const zoneOfHost = createZoneOfHost(zones);
  return requests.map(({ zone, url }) => {
    if (zone !== undefined) return requireZone(zone, zones);
    if (selected !== undefined) return requireZone(selected, zones);
    return zoneOfHost(hostOf(url))?.id;
  });
}

function hostOf(url: string): string {
  return readTarget(url)?.host ?? "";
}

/** That no zone has the host of a request, with the closest name. */
export function describeNoZone({ url }: RequestLine, { zones = [] }: World): string {
  const host = hostOf(url);
  const names = zones.map(({ id, name = id }) => name);
  // A host has the name of its zone and maybe labels before it.
  const labels = host.split(".");
  const ends = labels.map((_label, i) => labels.slice(i).join("."));
  const near = ends.map((end) => didYouMean(end, names)).find((hint) => hint !== "");
  return `No zone of the world has the host \`${host}\`${near ?? "."} ${describeZones(zones)}Set --zone or the member "zone" of the request, or correct the name of the zone.`;
}

/** Maximum number of zones that are named. */
const maxNamed = 5;

function describeZones(zones: Zones): string {
  const known = zones.filter(hasDomain).map(({ name }) => `\`${name}\``);
  const more = known.length > maxNamed ? ` and ${known.length - maxNamed} more` : "";
  const nameless = zones.find((zone) => !hasDomain(zone));
  return [
    known.length > 0 &&
      `The zones are ${known.slice(0, maxNamed).join(", ")}${more}, with their subdomains. `,
    nameless && `The domain of the zone \`${nameless.id}\` is not known. `,
  ]
    .filter(Boolean)
    .join("");
}

/** The id of the zone with an id or a name. */
function requireZone(wanted: string, zones: Zones): string {
  const found = zones.find(({ id }) => id === wanted) ?? zones.find(({ name }) => name === wanted);
  if (found !== undefined) return found.id;
  const known = zones.map(({ id }) => `\`${id}\``).join(", ") || "none";
  const nameless = zones.find((zone) => !hasDomain(zone));
  const run =
    nameless && wanted.includes(".")
      ? `; the domain of \`${nameless.id}\` is not known: --zone-name ${nameless.id}=${wanted}`
      : "";
  throw new UsageError(`the world has no zone \`${wanted}\`; zones of the world: ${known}${run}`);
}
