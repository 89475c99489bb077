/** 11001 (`spec`, an open list of causes) and 11050: an origin found by name. */
import { quote } from "../../../errors.ts";
import { foldHostname, parseHostname } from "../grammar/hostname.ts";
import type { Fault } from "../grammar/parsed.ts";
import { widthOf } from "../grammar/port.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, type CheckText, check, missing, type Rule } from "./check.ts";
import { hasBothOrigins } from "./origins.ts";
import { byName, world } from "./samples.ts";

/** Least time to live of an origin record, in seconds (`observed`). */
export const minTtl = 600;
/** Greatest time to live of a DNS record, in seconds (RFC 2181, section 8; `chosen`). */
export const maxTtl = 2_147_483_647;

const origin = byName.origin_dns;
const namePointer = "/origin_dns/name";

function nameCheck<S>(
  entry: Omit<CheckText, "code" | "phase" | "facts"> & Rule<Candidate, S>,
): Check<Candidate> {
  return check<Candidate, S>({ ...entry, code: 11001, phase: "stateless", facts: [] });
}

/** Checks of 11001. */
export const nameChecks: readonly Check<Candidate>[] = [
  nameCheck<true>({
    id: "origin-name-missing",
    what: "`origin_dns` has a `name`.",
    why: "Without it there is nothing to resolve.",
    fix: "Add the host name of the origin.",
    find: (candidate) =>
      candidate.app.origin_dns?.name === "" && !hasBothOrigins(candidate) ? [true] : undefined,
    message: () => "`origin_dns` has no `name`; a host name is needed.",
    pointers: () => [namePointer],
    bad: { body: { ...byName, origin_dns: {} } },
    good: { body: { ...byName, origin_dns: { name: "origin.example.com" } } },
  }),
  nameCheck<{ readonly name: string; readonly fault: Fault }>({
    id: "origin-name",
    what: "`origin_dns.name` is a host name of at least two labels, other scripts as punycode, and no address.",
    why: "It is looked up in DNS.",
    fix: "Write a host name like `origin.example.com`; an address belongs into `origin_direct`.",
    find: ({ app }) => {
      const name = app.origin_dns?.name;
      if (name === undefined || name === "") return undefined;
      const result = parseHostname(name);
      return result.ok ? undefined : [{ name, fault: result.fault }];
    },
    message: ({ name, fault }) =>
      `The origin name ${quote(name)} is no host name: at offset ${fault.at} ${fault.message}.`,
    pointers: () => [namePointer],
    bad: { body: { ...byName, origin_dns: { ...origin, name: "1.2.3.4" } } },
    good: { body: { ...byName, origin_dns: { ...origin, name: "1-2-3-4.example.com" } } },
  }),
  nameCheck<string>({
    id: "origin-port-missing",
    what: "`origin_port` is given, unless the origin is found by SRV records.",
    why: "Only SRV records carry a port.",
    fix: "Add `origin_port`, or set `origin_dns.type` to `SRV`.",
    find: (candidate) => {
      const type = candidate.app.origin_dns?.type;
      const needed = type !== undefined && type !== "SRV" && candidate.originPort === undefined;
      return needed && !hasBothOrigins(candidate) ? [type] : undefined;
    },
    message: (type) =>
      `\`origin_dns\` of type \`${type}\` is given without \`origin_port\`; only \`SRV\` needs none.`,
    pointers: () => ["/origin_port", "/origin_dns/type"],
    bad: { body: { ...byName, origin_dns: { ...origin, type: "A" }, origin_port: undefined } },
    good: { body: { ...byName, origin_dns: { ...origin, type: "SRV" }, origin_port: undefined } },
  }),
  nameCheck<{ readonly port: number | string; readonly fault: Fault }>({
    id: "origin-port-number",
    what: "`origin_port` is a port from 1 to 65535, or a range with its start below its end.",
    why: "There are no other ports.",
    fix: 'Write `22`, `"22"` or `"1000-2000"`.',
    find: ({ app, originPort }) =>
      app.origin_dns && originPort && !originPort.ok
        ? [{ port: app.origin_port as number | string, fault: originPort.fault }]
        : undefined,
    message: ({ port, fault }) =>
      `\`origin_port\` is ${quote(port)}: at offset ${fault.at} ${fault.message}.`,
    pointers: () => ["/origin_port"],
    bad: { body: { ...byName, origin_port: 65_536 } },
    good: { body: { ...byName, origin_port: 65_535 } },
  }),
  nameCheck<number>({
    id: "origin-ttl",
    what: `\`origin_dns.ttl\` is from ${minTtl} to ${maxTtl} seconds.`,
    why: "Shorter times would flood the resolver; longer ones do not exist in DNS.",
    fix: `Give a time of at least ${minTtl} seconds, or leave it out.`,
    find: ({ app }) => {
      const ttl = app.origin_dns?.ttl;
      return ttl !== undefined && (ttl < minTtl || ttl > maxTtl) ? [ttl] : undefined;
    },
    message: (ttl) => `\`origin_dns.ttl\` is \`${ttl}\`; ${minTtl} to ${maxTtl} is allowed.`,
    pointers: () => ["/origin_dns/ttl"],
    bad: { body: { ...byName, origin_dns: { ...origin, ttl: minTtl - 1 } } },
    good: { body: { ...byName, origin_dns: { ...origin, ttl: minTtl } } },
  }),
  nameCheck<{ readonly given: number; readonly wanted: number }>({
    id: "origin-port-width",
    what: "`origin_port` has as many ports as `protocol`.",
    why: "Edge ports are mapped to origin ports one by one.",
    fix: "Give both ranges the same width.",
    find: (candidate) => {
      const { app, protocol, originPort } = candidate;
      if (!app.origin_dns || !originPort?.ok || hasBothOrigins(candidate)) return undefined;
      const given = widthOf(originPort.value);
      const wanted = widthOf(protocol.ports);
      return given === wanted ? undefined : [{ given, wanted }];
    },
    message: ({ given, wanted }) =>
      `\`origin_port\` has \`${given}\` ports and \`protocol\` has \`${wanted}\`; the numbers must be equal.`,
    pointers: () => ["/origin_port", "/protocol"],
    bad: { body: { ...byName, protocol: "tcp/1000-2000", origin_port: "3000-3999" } },
    good: { body: { ...byName, protocol: "tcp/1000-2000", origin_port: "3000-4000" } },
  }),
];

/** The checks of 11050 need to know on which zone the origin's name lives. */
function zoneCheck(
  entry: Omit<CheckText, "code" | "phase" | "facts" | "why"> &
    Pick<Rule<Candidate, string>, "find" | "message">,
): Check<Candidate> {
  return check<Candidate, string>({
    ...entry,
    code: 11050,
    phase: "stateful",
    facts: ["zones", "zone"],
    why: "An origin by name has to live on the application's own zone.",
    pointers: () => [namePointer],
  });
}

/** Checks of 11050. */
export const crossZoneChecks: readonly Check<Candidate>[] = [
  zoneCheck({
    id: "origin-zone-other",
    what: "`origin_dns.name` does not live on another zone.",
    fix: "Use a name of the application's own zone.",
    find: ({ app }, { zone, zoneOf }) => {
      if (!app.origin_dns) return undefined;
      if (!zoneOf) return missing("zones");
      const home = zoneOf(foldHostname(app.origin_dns.name));
      if (home === undefined || home === zone) return undefined;
      return zone === undefined ? missing("zone") : [app.origin_dns.name];
    },
    message: (name) =>
      `The origin name ${quote(name)} lives on another zone; a name of the application's zone is needed.`,
    bad: { body: { ...byName, origin_dns: { ...origin, name: "origin.example.net" } }, facts: world },
    good: { body: byName, facts: world },
  }),
  zoneCheck({
    id: "origin-zone-unknown",
    what: "`origin_dns.name` lives on one of the zones that may be used.",
    fix: "Use a name of the application's own zone.",
    find: ({ app }, { zoneOf, zonesKnown }) => {
      if (!app.origin_dns) return undefined;
      if (zoneOf && zoneOf(foldHostname(app.origin_dns.name)) !== undefined) return undefined;
      return zonesKnown ? [app.origin_dns.name] : missing("zones");
    },
    message: (name) =>
      `The origin name ${quote(name)} lives on no permitted zone; a name of the application's zone is needed.`,
    bad: { body: { ...byName, origin_dns: { ...origin, name: "origin.example.org" } }, facts: world },
    good: { body: { ...byName, origin_dns: { ...origin, name: "Example.COM." } }, facts: world },
  }),
];
