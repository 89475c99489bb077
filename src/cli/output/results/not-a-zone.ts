/** Requests to hosts of no zone: no rule of the world is about them. */
import type { Location, Placed, Rules } from "../../../core/diagnostic.ts";

/** The rule of requests to hosts of no zone. */
export const notAZoneRules = {
  not_a_zone: {
    level: "warning",
    description: "No zone of the world has the host of a request, so that the request is not evaluated.",
    help: "Correct the host or the name of the zone (--zone-name for files that have only its id), choose a zone with --zone, or accept it with --partial.",
    tags: ["tokens"],
  },
} as const satisfies Rules;

/** The diagnostic of requests to hosts of no zone. */
export function notAZone(message: string, at: Location): Placed {
  return { rule: "not_a_zone", level: notAZoneRules.not_a_zone.level, message, at };
}

/** Maximum number of hosts that are named. */
const maxHosts = 5;

/** The first hosts with their numbers of requests. */
export function listHosts(hosts: Readonly<Record<string, number>>): string {
  const all = Object.entries(hosts);
  const named = all.slice(0, maxHosts).map(([host, count]) => `\`${host}\` (${count})`);
  return `${named.join(", ")}${all.length > maxHosts ? ` and ${all.length - maxHosts} more` : ""}`;
}
