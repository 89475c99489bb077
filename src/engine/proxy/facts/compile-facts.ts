/** Validates facts, and compiles them into the lookup tables of the checks. */

import { type Cidr, parseCidr } from "../../../core/address/cidr.ts";
import { parseIp, printIp } from "../../../core/address/ip.ts";
import { groupBy } from "../../../core/groups.ts";
import { type CodedDiagnostic, InvalidInputError } from "../../../errors.ts";
import { foldHostname, parseHostname } from "../grammar/hostname.ts";
import {
  compileProtocols,
  type Protocol,
  type ProtocolSet,
  parseProtocol,
  printProtocol,
} from "../grammar/protocol.ts";
import { parseUuid } from "../grammar/uuid.ts";
import {
  readBoolean,
  readCount,
  readFunction,
  readList,
  readOneOf,
  readParsed,
  readRecord,
  readString,
} from "../read/reader.ts";
import {
  type CompiledApps,
  type CompiledFacts,
  compiledFacts,
  defaultPlan,
  type Facts,
  type NamedApp,
  plans,
  type ZoneFact,
} from "./facts.ts";
import { type OriginAccess, originAccess } from "./origin-access.ts";
import { compilePrefixes, type PrefixTable } from "./prefix-table.ts";

const cidr = readParsed("a prefix like `10.0.0.0/8`", parseCidr);
const protocol = readParsed("a protocol like `tcp/22`", parseProtocol);
const hostname = readParsed("a host name", parseHostname);

const readZones = readList(readRecord({ id: readString, name: readString }, ["id", "name"]));

const readFacts = readRecord({
  plan: readOneOf(plans),
  features: readRecord({ ftp: readBoolean, edge_ips: readBoolean, smart_routing: readBoolean }),
  permissions: readRecord({ ip_prefixes: readBoolean }),
  prefixes: readList(cidr),
  protocols: readRecord({ allowed: readList(protocol), reserved: readList(protocol) }),
  apps: readList(readRecord({ id: readString, protocol, zone: readString, hostname }, ["protocol"])),
  zone: readString,
  zones: readZones,
  other_zones: readZones,
  hostnames: readList(readRecord({ name: hostname, zone: readString, ipv4: readBoolean }, ["name", "zone"])),
  edge_ips: readList(
    readRecord({ ip: readParsed("an IP address", parseIp), zone: readString, deleted: readBoolean }, [
      "ip",
      "zone",
    ]),
  ),
  virtual_networks: readList(
    readRecord({ id: readParsed("a UUID", parseUuid), routes: readList(cidr) }, ["id", "routes"]),
  ),
  ipv4: readRecord({ quota: readCount, used: readCount }, ["used"]),
  dns_records: readList(readRecord({ name: readString, type: readString, proxied: readBoolean }, ["name"])),
  zoneOf: readFunction<(name: string) => string | undefined>(),
  originAccess: readFunction<OriginAccess>(),
});

/**
 * Validates facts, such as those of a world file. Returns a problem for each wrong type, unknown member and malformed
 * string; an empty array when the facts are valid.
 *
 * @example checkFacts({ prefixes: ["198.51.100.0"] })[0]?.pointer // "/prefixes/0"
 */
export function checkFacts(facts: unknown): readonly CodedDiagnostic[] {
  const result = readFacts(facts, "");
  return result.ok ? [] : result.problems;
}

/**
 * Compiles facts once, for any number of validations. `{}` means an account with the paid add-on and no other known facts.
 *
 * @throws InvalidInputError with all problems when the facts are malformed; `checkFacts` returns them instead
 * @example compileFacts({ plan: "pay-as-you-go" }).plan // "pay-as-you-go"
 */
export function compileFacts(facts: Facts = {}): CompiledFacts {
  const result = readFacts(facts, "");
  if (!result.ok) throw new InvalidInputError("The facts are invalid", result.problems);
  const read = result.value;
  const { zone, zones } = read;
  const compiled: CompiledFacts = {
    plan: read.plan ?? defaultPlan,
    features: read.features ?? {},
    permissions: read.permissions ?? {},
    prefixes: read.prefixes && prefixTable(read.prefixes),
    allowed: protocolSet(read.protocols?.allowed),
    reserved: protocolSet(read.protocols?.reserved),
    apps: compileApps(read.apps),
    zone,
    zonesKnown: zones !== undefined && (read.zoneOf !== undefined || zones.every(hasDomain)),
    zoneOf: read.zoneOf ?? (zones && suffixLookup(zones)),
    domainOf: read.zoneOf ?? domainLookup(zones ?? [], read.other_zones),
    domainsKnown: zones?.every(hasDomain) === true && zones.some(({ id }) => id === zone),
    hostnames: {
      isComplete: read.hostnames !== undefined,
      byName: groupBy(read.hostnames ?? [], (hostname) => hostname.name),
    },
    edgeIps: read.edge_ips && groupBy(read.edge_ips, (edge) => printIp(edge.ip)),
    networks:
      read.virtual_networks &&
      new Map([...groupBy(read.virtual_networks, (n) => n.id)].map(([id, all]) => [id, routesOf(all)])),
    ipv4: read.ipv4,
    proxiedNames: new Set(
      (read.dns_records ?? []).filter(({ proxied }) => proxied).map(({ name }) => foldHostname(name)),
    ),
    originAccess: read.originAccess ?? originAccess,
  };
  compiledFacts.add(compiled);
  return compiled;
}

function prefixTable(prefixes: readonly Cidr[]): PrefixTable<Cidr> {
  return compilePrefixes(prefixes.map((prefix) => [prefix, prefix] as const));
}

function routesOf(networks: readonly { readonly routes: readonly Cidr[] }[]): PrefixTable<Cidr> {
  return prefixTable(networks.flatMap((network) => network.routes));
}

function protocolSet(protocols: readonly Protocol[] | undefined): ProtocolSet | undefined {
  return protocols && compileProtocols(protocols);
}

/** Whether the name of a zone is its domain; without a domain the name is that of the world, often the zone's id. */
function hasDomain({ name }: ZoneFact): boolean {
  return foldHostname(name).includes(".");
}

/** A name in none of the zones of other accounts is in the domain of none, also when those of the account are unknown. */
function domainLookup(
  own: readonly ZoneFact[],
  others: readonly ZoneFact[] | undefined,
): CompiledFacts["domainOf"] {
  const domains = [...own, ...(others ?? [])].filter(hasDomain);
  return others || domains.length > 0 ? suffixLookup(domains) : undefined;
}

/** Finds the zone whose name is the longest suffix of a name, cut at dots. */
function suffixLookup(zones: readonly ZoneFact[]): (name: string) => string | undefined {
  const ids = new Map(zones.map(({ id, name }) => [foldHostname(name), id]));
  return (name) => {
    for (let at = 0; at >= 0; at = name.indexOf(".", at) + 1 || -1) {
      const zone = ids.get(name.slice(at));
      if (zone !== undefined) return zone;
    }
    return undefined;
  };
}

function compileApps(apps: readonly NamedApp[] | undefined): CompiledApps {
  const known = apps ?? [];
  return {
    isComplete: apps !== undefined,
    byProtocol: groupBy(known, (app) => printProtocol(app.protocol)),
    byHostname: groupBy(
      known.filter(({ hostname }) => hostname !== undefined),
      ({ hostname = "" }) => hostname,
    ),
    nameless: known.filter(({ hostname }) => hostname === undefined),
  };
}
