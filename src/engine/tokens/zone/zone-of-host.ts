/** The zone of a request: the one whose domain its host is or ends in (`observed`). */
import { normalizeHost } from "./target.ts";

/** A zone with its domain; without one, or with its id in its place, the domain is not known. */
export interface NamedZone {
  readonly id: string;
  readonly name?: string | undefined;
}

/** Whether the domain of a zone is known. */
export function hasDomain({ id, name }: NamedZone): boolean {
  return name !== undefined && name !== id;
}

/**
 * Finds zones by hosts in normal form; the longest domain counts. A single zone whose domain is not known has every
 * host.
 *
 * @returns a function that returns undefined for a host of no zone
 */
export function createZoneOfHost<Z extends NamedZone>(zones: readonly Z[]): (host: string) => Z | undefined {
  const [only] = zones;
  if (only !== undefined && zones.length === 1 && !hasDomain(only)) return () => only;
  const byName = new Map<string, Z>();
  for (const zone of zones) {
    const name = normalizeHost(zone.name ?? zone.id);
    if (!byName.has(name)) byName.set(name, zone);
  }
  return (host) => {
    for (let name = host; name !== ""; name = parentOf(name)) {
      const zone = byName.get(name);
      if (zone !== undefined) return zone;
    }
    return undefined;
  };
}

/** The host without its first label. */
function parentOf(host: string): string {
  return host.includes(".") ? host.slice(host.indexOf(".") + 1) : "";
}
