/** 11041 to 11045 (`spec`): an origin in a virtual network is a single private address with a single port. */
import { quote } from "../../../errors.ts";
import { type Ip, printIp } from "../grammar/ip.ts";
import type { Fault } from "../grammar/parsed.ts";
import { type PortRange, printPorts, widthOf } from "../grammar/port.ts";
import { parseUuid, respellUuid } from "../grammar/uuid.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, check, missing } from "./check.ts";
import { byName, networkId, virtual, world } from "./samples.ts";

const networkPointer = "/virtual_network_id";

interface RangeAt {
  readonly pointer: string;
  readonly ports: PortRange;
}

/** Stateless checks of virtual networks, in the order of their codes. */
export const networkChecks: readonly Check<Candidate>[] = [
  check<Candidate, true>({
    id: "network-with-origin-dns",
    code: 11041,
    phase: "stateless",
    facts: [],
    what: "`virtual_network_id` is not given together with `origin_dns`.",
    why: "Names are resolved in public DNS, which knows no virtual networks.",
    fix: "Give the origin as an address in `origin_direct`, or remove `virtual_network_id`.",
    find: ({ app }) => (app.origin_dns ? [true] : undefined),
    message: () =>
      "`virtual_network_id` is given together with `origin_dns`; it is allowed only with `origin_direct`.",
    pointers: () => [networkPointer, "/origin_dns"],
    bad: { body: { ...byName, virtual_network_id: networkId } },
    good: { body: virtual, facts: world },
  }),
  check<Candidate, number>({
    id: "network-several-origins",
    code: 11042,
    phase: "stateless",
    facts: [],
    what: "An origin in a virtual network is a single address.",
    why: "The route is chosen for one address.",
    fix: "Keep one address in `origin_direct`.",
    find: ({ origins }) => (origins.length > 1 ? [origins.length] : undefined),
    message: (count) =>
      `\`origin_direct\` has \`${count}\` addresses; with \`virtual_network_id\` exactly one is allowed.`,
    pointers: () => ["/origin_direct", networkPointer],
    bad: { body: { ...virtual, origin_direct: ["tcp://10.0.0.5:22", "tcp://10.0.0.6:22"] }, facts: world },
    good: { body: virtual, facts: world },
  }),
  check<Candidate, RangeAt>({
    id: "network-address-range",
    code: 11043,
    phase: "stateless",
    facts: [],
    what: "The address of an origin in a virtual network has a single port.",
    why: "Port ranges are not routed into virtual networks.",
    fix: "Give the address one port.",
    find: ({ origins }) => {
      const ranges = origins.flatMap((origin, i) =>
        origin.ok && widthOf(origin.value.ports) > 1
          ? [{ pointer: `/origin_direct/${i}`, ports: origin.value.ports }]
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
  check<Candidate, RangeAt>({
    id: "network-port-range",
    code: 11043,
    phase: "stateless",
    facts: [],
    what: "`origin_port` beside an origin in a virtual network is a single port.",
    why: "Port ranges are not routed into virtual networks.",
    fix: "Remove `origin_port`, which has no effect beside `origin_direct`.",
    find: ({ app, originPort }) =>
      app.origin_direct && originPort?.ok && widthOf(originPort.value) > 1
        ? [{ pointer: "/origin_port", ports: originPort.value }]
        : undefined,
    message: ({ ports }) =>
      `\`origin_port\` is the range \`${printPorts(ports)}\`; with \`virtual_network_id\` a single port is allowed.`,
    pointers: ({ pointer }) => [pointer, networkPointer],
    patch: ({ pointer }) => [{ op: "remove", path: pointer }],
    bad: { body: { ...virtual, origin_port: "22-23" }, facts: world },
    good: { body: { ...virtual, origin_port: 22 }, facts: world },
  }),
  check<Candidate, { readonly id: string; readonly fault: Fault }>({
    id: "network-uuid",
    code: 11045,
    phase: "stateless",
    facts: [],
    what: "`virtual_network_id` is a UUID: 8-4-4-4-12 hexadecimal digits, either case, any version.",
    why: "Virtual networks have no other names.",
    fix: "Copy the id of the virtual network in full.",
    find: ({ app: { virtual_network_id: id } }) => {
      const result = id === undefined ? undefined : parseUuid(id);
      return result && !result.ok ? [{ id: id as string, fault: result.fault }] : undefined;
    },
    message: ({ id, fault }) =>
      `\`virtual_network_id\` is ${quote(id)}, which is no UUID: at offset ${fault.at} ${fault.message}.`,
    pointers: () => [networkPointer],
    patch: ({ id }) => {
      const value = respellUuid(id);
      return value ? [{ op: "replace", path: networkPointer, value }] : undefined;
    },
    bad: { body: { ...virtual, virtual_network_id: networkId.replaceAll("-", "") }, facts: world },
    good: { body: { ...virtual, virtual_network_id: networkId.toUpperCase() }, facts: world },
  }),
];

/** The address that has to be routed, when all stateless rules hold. */
function routed({ app, origins }: Candidate): Ip | undefined {
  const [origin] = origins;
  return app.virtual_network_id !== undefined && origin?.ok ? origin.value.ip : undefined;
}

interface Unrouted {
  readonly id: string;
  readonly ip: Ip;
}

/** Stateful checks of virtual networks. */
export const routeChecks: readonly Check<Candidate>[] = [
  check<Candidate, Unrouted>({
    id: "network-unknown",
    code: 11044,
    phase: "stateful",
    facts: ["virtual_networks"],
    what: "The virtual network exists.",
    why: "Without it there is no route to the origin.",
    fix: "Create the virtual network, or use the id of one that exists.",
    find: (candidate, { networks }) => {
      const ip = routed(candidate);
      if (!ip) return undefined;
      if (!networks) return missing("virtual_networks");
      const id = candidate.app.virtual_network_id as string;
      return networks.has(id.toLowerCase()) ? undefined : [{ id, ip }];
    },
    message: ({ id }) =>
      `The virtual network ${quote(id)} does not exist; one of the account's networks is needed.`,
    pointers: () => [networkPointer],
    bad: { body: virtual, facts: { ...world, virtual_networks: [] } },
    good: { body: virtual, facts: world },
  }),
  check<Candidate, Unrouted>({
    id: "network-route",
    code: 11044,
    phase: "stateful",
    facts: ["virtual_networks"],
    what: "The origin's address is in a route of the virtual network.",
    why: "Traffic to other addresses would go nowhere.",
    fix: "Add a route that holds the address to the virtual network, or use an address that is routed.",
    find: (candidate, { networks }) => {
      const ip = routed(candidate);
      if (!ip) return undefined;
      if (!networks) return missing("virtual_networks");
      const id = candidate.app.virtual_network_id as string;
      const network = networks.get(id.toLowerCase());
      return network && !network.lookup(ip) ? [{ id, ip }] : undefined;
    },
    message: ({ id, ip }) =>
      `The address \`${printIp(ip)}\` is in no route of the virtual network ${quote(id)}; an address that it routes is needed.`,
    pointers: () => ["/origin_direct/0", networkPointer],
    bad: { body: { ...virtual, origin_direct: ["tcp://192.0.2.1:22"] }, facts: world },
    good: { body: { ...virtual, origin_direct: ["tcp://[2001:db8:10::5]:22"] }, facts: world },
  }),
];
