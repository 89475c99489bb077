/** 11041 to 11045 (`spec`): an origin in a virtual network is a single private address with a single port. */

import { type Ip, printIp } from "../../../core/address/ip.ts";
import type { ParseFault } from "../../../core/address/parse-fault.ts";
import { quote } from "../../../errors.ts";
import { type PortRange, printPorts, widthOf } from "../grammar/port.ts";
import { parseUuid, standardUuid } from "../grammar/uuid.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, check, missing, statelessCheck } from "./check.ts";
import { byName, networkId, virtual, world } from "./samples.ts";

const networkPointer = "/virtual_network_id";

interface LocatedRange {
  readonly pointer: string;
  readonly ports: PortRange;
}

/** Stateless checks of virtual networks, in the order of their codes. */
export const networkChecks: readonly Check<Candidate>[] = [
  statelessCheck<true>({
    id: "network-with-origin-dns",
    code: 11041,
    rule: "`virtual_network_id` is not combined with `origin_dns`.",
    why: "Names are resolved in public DNS, which has no names of virtual networks.",
    fix: "Replace `origin_dns` by `origin_direct` with the address of the origin, or remove `virtual_network_id`.",
    find: ({ app }) => (app.origin_dns ? [true] : undefined),
    message: () =>
      "`virtual_network_id` is set together with `origin_dns`; it is allowed only with `origin_direct`.",
    pointers: () => [networkPointer, "/origin_dns"],
    bad: { body: { ...byName, virtual_network_id: networkId } },
    good: { body: virtual, facts: world },
  }),
  statelessCheck<number>({
    id: "network-several-origins",
    code: 11042,
    rule: "An origin in a virtual network is a single address.",
    why: "The route is selected for one address.",
    fix: "Keep one address in `origin_direct`.",
    find: ({ origins }) => (origins.length > 1 ? [origins.length] : undefined),
    message: (count) =>
      `\`origin_direct\` has \`${count}\` addresses; with \`virtual_network_id\` exactly one is allowed.`,
    pointers: () => ["/origin_direct", networkPointer],
    bad: { body: { ...virtual, origin_direct: ["tcp://10.0.0.5:22", "tcp://10.0.0.6:22"] }, facts: world },
    good: { body: virtual, facts: world },
  }),
  statelessCheck<LocatedRange>({
    id: "network-address-range",
    code: 11043,
    rule: "The address of an origin in a virtual network has a single port.",
    why: "Port ranges are not routed into virtual networks.",
    fix: "Use a single port.",
    find: ({ origins }) => {
      const ranges = origins.flatMap((origin, index) =>
        origin.ok && widthOf(origin.value.ports) > 1
          ? [{ pointer: `/origin_direct/${index}`, ports: origin.value.ports }]
          : [],
      );
      return ranges.length > 0 ? ranges : undefined;
    },
    message: ({ ports }) =>
      `The origin has the port range \`${printPorts(ports)}\`; with \`virtual_network_id\` a single port is allowed.`,
    pointers: ({ pointer }) => [pointer, networkPointer],
    bad: { body: { ...virtual, origin_direct: ["tcp://10.0.0.5:22-23"] }, facts: world },
    good: { body: virtual, facts: world },
  }),
  statelessCheck<LocatedRange>({
    id: "network-port-range",
    code: 11043,
    rule: "`origin_port` with an origin in a virtual network is a single port.",
    why: "Port ranges are not routed into virtual networks.",
    fix: "Use a single port, or remove `origin_port`, which has no effect with `origin_direct`.",
    find: ({ app, originPort }) =>
      app.origin_direct && originPort?.ok && widthOf(originPort.value) > 1
        ? [{ pointer: "/origin_port", ports: originPort.value }]
        : undefined,
    message: ({ ports }) =>
      `\`origin_port\` is the range \`${printPorts(ports)}\`; with \`virtual_network_id\` a single port is allowed.`,
    pointers: ({ pointer }) => [pointer, networkPointer],
    bad: { body: { ...virtual, origin_port: "22-23" }, facts: world },
    good: { body: { ...virtual, origin_port: 22 }, facts: world },
  }),
  statelessCheck<{ readonly id: string; readonly fault: ParseFault }>({
    id: "network-uuid",
    code: 11045,
    rule: "`virtual_network_id` is a UUID: 8-4-4-4-12 hexadecimal digits in either case, of any version.",
    why: "Virtual networks are identified only by UUIDs.",
    fix: "Copy the full id of the virtual network.",
    find: ({ app: { virtual_network_id: id } }) => {
      if (id === undefined) return undefined;
      const result = parseUuid(id);
      return result.ok ? undefined : [{ id, fault: result.problems[0] }];
    },
    message: ({ id, fault }) =>
      `\`virtual_network_id\` is ${quote(id)}, which is not a UUID: at offset ${fault.offset} ${fault.message}.`,
    pointers: () => [networkPointer],
    patch: ({ id }) => {
      const value = standardUuid(id);
      return value ? [{ op: "replace", path: networkPointer, value }] : undefined;
    },
    bad: { body: { ...virtual, virtual_network_id: networkId.replaceAll("-", "") }, facts: world },
    good: { body: { ...virtual, virtual_network_id: networkId.toUpperCase() }, facts: world },
  }),
];

/** An address that must be reachable through a virtual network. */
interface RoutedOrigin {
  readonly id: string;
  readonly ip: Ip;
}

function routedOrigin({ app: { virtual_network_id: id }, origins }: Candidate): RoutedOrigin | undefined {
  const [origin] = origins;
  return id !== undefined && origin?.ok ? { id, ip: origin.value.ip } : undefined;
}

/** Stateful checks of virtual networks. */
export const routeChecks: readonly Check<Candidate>[] = [
  check<Candidate, RoutedOrigin>({
    id: "network-unknown",
    code: 11044,
    phase: "stateful",
    facts: ["virtual_networks"],
    rule: "The virtual network exists.",
    why: "Its routes lead to the origin.",
    fix: "Create the virtual network, or use the id of an existing one.",
    find: (candidate, { networks }) => {
      const origin = routedOrigin(candidate);
      if (!origin) return undefined;
      if (!networks) return missing("virtual_networks");
      return networks.has(origin.id.toLowerCase()) ? undefined : [origin];
    },
    message: ({ id }) =>
      `The virtual network ${quote(id)} does not exist; it must be one of the account's networks.`,
    pointers: () => [networkPointer],
    bad: { body: virtual, facts: { ...world, virtual_networks: [] } },
    good: { body: virtual, facts: world },
  }),
  check<Candidate, RoutedOrigin>({
    id: "network-route",
    code: 11044,
    phase: "stateful",
    facts: ["virtual_networks"],
    rule: "The origin's address is in a route of the virtual network.",
    why: "Traffic to other addresses cannot be routed.",
    fix: "Add a route that contains the address to the virtual network, or use an address in one of its routes.",
    find: (candidate, { networks }) => {
      const origin = routedOrigin(candidate);
      if (!origin) return undefined;
      if (!networks) return missing("virtual_networks");
      const network = networks.get(origin.id.toLowerCase());
      return network && !network.lookup(origin.ip) ? [origin] : undefined;
    },
    message: ({ id, ip }) =>
      `The address \`${printIp(ip)}\` is in no route of the virtual network ${quote(id)}; it must be in one of them.`,
    pointers: () => ["/origin_direct/0", networkPointer],
    bad: { body: { ...virtual, origin_direct: ["tcp://192.0.2.1:22"] }, facts: world },
    good: { body: { ...virtual, origin_direct: ["tcp://[2001:db8:10::5]:22"] }, facts: world },
  }),
];
