/** 11001 (`spec`, an open list of causes) and 11050: an origin found by name. */

import type { ParseFault } from "../../../core/address/parse-fault.ts";
import { quote } from "../../../errors.ts";
import { foldHostname, parseHostname } from "../grammar/hostname.ts";
import { widthOf } from "../grammar/port.ts";
import { isTtl, maxTtl, minTtl } from "../grammar/ttl.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, type CheckRule, check, missing, statelessCheck, type Written } from "./check.ts";
import { hasBothOrigins } from "./origins.ts";
import { byName, world } from "./samples.ts";

const origin = byName.origin_dns;
const namePointer = "/origin_dns/name";

function nameCheck<S>(
  entry: Omit<Written, "code" | "phase" | "facts"> & CheckRule<Candidate, S>,
): Check<Candidate> {
  return statelessCheck({ ...entry, code: 11001 });
}

/** Checks of 11001. */
export const nameChecks: readonly Check<Candidate>[] = [
  nameCheck<true>({
    id: "origin-name-missing",
    rule: "`origin_dns` has a `name`.",
    why: "The name is resolved in DNS.",
    fix: "Add the host name of the origin.",
    find: (candidate) =>
      candidate.app.origin_dns?.name === "" && !hasBothOrigins(candidate) ? [true] : undefined,
    message: () => "`origin_dns.name` is missing; it must be a host name.",
    pointers: () => [namePointer],
    bad: { body: { ...byName, origin_dns: {} } },
    good: { body: { ...byName, origin_dns: { name: "origin.example.com" } } },
  }),
  nameCheck<{ readonly name: string; readonly fault: ParseFault }>({
    id: "origin-name",
    rule: "`origin_dns.name` is a host name of at least two labels, with other scripts in punycode, and not an address.",
    why: "The name is resolved in DNS.",
    fix: "Write a host name like `origin.example.com`, or replace `origin_dns` by `origin_direct` with an address.",
    find: ({ app }) => {
      const name = app.origin_dns?.name;
      if (name === undefined || name === "") return undefined;
      const result = parseHostname(name);
      return result.ok ? undefined : [{ name, fault: result.problems[0] }];
    },
    message: ({ name, fault }) =>
      `The origin name ${quote(name)} is not a host name: at offset ${fault.offset} ${fault.message}.`,
    pointers: () => [namePointer],
    bad: { body: { ...byName, origin_dns: { ...origin, name: "1.2.3.4" } } },
    good: { body: { ...byName, origin_dns: { ...origin, name: "1-2-3-4.example.com" } } },
  }),
  nameCheck<string>({
    id: "origin-port-missing",
    rule: "`origin_port` is set, unless the type of `origin_dns` is `SRV`.",
    why: "Only SRV records contain a port.",
    fix: "Add `origin_port`, or set `origin_dns.type` to `SRV`.",
    find: (candidate) => {
      const type = candidate.app.origin_dns?.type;
      const needed = type !== undefined && type !== "SRV" && candidate.originPort === undefined;
      return needed && !hasBothOrigins(candidate) ? [type] : undefined;
    },
    message: (type) =>
      `\`origin_port\` is missing; \`origin_dns\` of type \`${type}\` needs it, only \`SRV\` does not.`,
    pointers: () => ["/origin_port", "/origin_dns/type"],
    bad: { body: { ...byName, origin_dns: { ...origin, type: "A" }, origin_port: undefined } },
    good: { body: { ...byName, origin_dns: { ...origin, type: "SRV" }, origin_port: undefined } },
  }),
  nameCheck<{ readonly port: number | string; readonly fault: ParseFault }>({
    id: "origin-port-number",
    rule: "`origin_port` is a port from 1 to 65535, or a range with its start below its end.",
    why: "Other port numbers do not exist.",
    fix: 'Write `22`, `"22"` or `"1000-2000"`.',
    find: ({ app: { origin_dns, origin_port }, originPort }) =>
      origin_dns && origin_port !== undefined && originPort && !originPort.ok
        ? [{ port: origin_port, fault: originPort.problems[0] }]
        : undefined,
    message: ({ port, fault }) =>
      `\`origin_port\` is ${quote(port)}: at offset ${fault.offset} ${fault.message}.`,
    pointers: () => ["/origin_port"],
    bad: { body: { ...byName, origin_port: 65_536 } },
    good: { body: { ...byName, origin_port: 65_535 } },
  }),
  nameCheck<number>({
    id: "origin-ttl",
    rule: `\`origin_dns.ttl\` is from ${minTtl} to ${maxTtl} seconds.`,
    why: "Shorter times cause too many DNS queries; longer ones do not exist in DNS.",
    fix: `Use at least ${minTtl} seconds, or omit the member.`,
    find: ({ app }) => {
      const ttl = app.origin_dns?.ttl;
      return ttl !== undefined && !isTtl(ttl) ? [ttl] : undefined;
    },
    message: (ttl) => `\`origin_dns.ttl\` must be from ${minTtl} to ${maxTtl} seconds; found \`${ttl}\`.`,
    pointers: () => ["/origin_dns/ttl"],
    bad: { body: { ...byName, origin_dns: { ...origin, ttl: minTtl - 1 } } },
    good: { body: { ...byName, origin_dns: { ...origin, ttl: minTtl } } },
  }),
  nameCheck<{ readonly width: number; readonly required: number }>({
    id: "origin-port-width",
    rule: "`origin_port` has as many ports as `protocol`.",
    why: "Edge ports are mapped to origin ports one by one.",
    fix: "Give both ranges the same width.",
    find: (candidate) => {
      const { app, protocol, originPort } = candidate;
      if (!app.origin_dns || !originPort?.ok || hasBothOrigins(candidate)) return undefined;
      const width = widthOf(originPort.value);
      const required = widthOf(protocol.ports);
      return width === required ? undefined : [{ width, required }];
    },
    message: ({ width, required }) =>
      `\`origin_port\` has \`${width}\` ports and \`protocol\` has \`${required}\`; the numbers must be equal.`,
    pointers: () => ["/origin_port", "/protocol"],
    bad: { body: { ...byName, protocol: "tcp/1000-2000", origin_port: "3000-3999" } },
    good: { body: { ...byName, protocol: "tcp/1000-2000", origin_port: "3000-4000" } },
  }),
];

/** A check of the zone that the origin's name belongs to. */
function zoneCheck(
  entry: Omit<Written, "code" | "phase" | "facts" | "why"> &
    Pick<CheckRule<Candidate, string>, "find" | "message">,
): Check<Candidate> {
  return check<Candidate, string>({
    ...entry,
    code: 11050,
    phase: "stateful",
    facts: ["zones", "zone"],
    why: "The name of an origin must belong to the application's own zone.",
    pointers: () => [namePointer],
  });
}

/** Checks of 11050. */
export const crossZoneChecks: readonly Check<Candidate>[] = [
  zoneCheck({
    id: "origin-zone-other",
    rule: "`origin_dns.name` does not belong to another zone.",
    fix: "Use a name of the application's own zone.",
    find: ({ app }, { zone, zoneOf }) => {
      if (!app.origin_dns) return undefined;
      if (!zoneOf) return missing("zones");
      const owner = zoneOf(foldHostname(app.origin_dns.name));
      if (owner === undefined || owner === zone) return undefined;
      return zone === undefined ? missing("zone") : [app.origin_dns.name];
    },
    message: (name) =>
      `The origin name ${quote(name)} belongs to another zone; it must belong to the application's zone.`,
    bad: { body: { ...byName, origin_dns: { ...origin, name: "origin.example.net" } }, facts: world },
    good: { body: byName, facts: world },
  }),
  zoneCheck({
    id: "origin-zone-unknown",
    rule: "`origin_dns.name` belongs to one of the account's zones.",
    fix: "Use a name of the application's own zone.",
    find: ({ app }, { zoneOf, zonesKnown }) => {
      if (!app.origin_dns) return undefined;
      if (zoneOf && zoneOf(foldHostname(app.origin_dns.name)) !== undefined) return undefined;
      return zonesKnown ? [app.origin_dns.name] : missing("zones");
    },
    message: (name) =>
      `The origin name ${quote(name)} belongs to none of the account's zones; it must belong to the application's zone.`,
    bad: { body: { ...byName, origin_dns: { ...origin, name: "origin.example.org" } }, facts: world },
    good: { body: { ...byName, origin_dns: { ...origin, name: "Example.COM." } }, facts: world },
  }),
];
