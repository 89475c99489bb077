/** 10400 (`chosen`): the shape of an application. The rules are in `read/app.ts`; the entries tell them apart. */
import { quote } from "../../../errors.ts";
import type { PatchOperation } from "../patch.ts";
import type { Reading, ShapeCheck, ShapeFault } from "../read/app.ts";
import { maxListLength, nameOfType } from "../read/decode.ts";
import { type Check, type CheckText, check } from "./check.ts";
import { byName, direct, staticEdge, virtual, world } from "./samples.ts";

type ShapeEntry = Omit<CheckText, "code" | "phase" | "facts"> & {
  readonly id: ShapeCheck;
  readonly patch?: (fault: ShapeFault) => readonly PatchOperation[] | undefined;
};

function shapeCheck(entry: ShapeEntry): Check<Reading> {
  return check<Reading, ShapeFault>({
    code: 10400,
    phase: "shape",
    facts: [],
    find: ({ faults }) => {
      const mine = faults.filter((fault) => fault.check === entry.id);
      return mine.length > 0 ? mine : undefined;
    },
    message: ({ found, expected }) => `${shown(found)} was given; expected is ${expected}.`,
    pointers: ({ pointer }) => [pointer],
    ...entry,
  });
}

function shown(found: unknown): string {
  if (typeof found === "string") return quote(found);
  if (typeof found === "number") return `\`${found}\``;
  const name = nameOfType(found);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Replaces a text by its lower case, when that is all that is wrong; the texts of `allowed` decide. */
function loweredMend({ found, pointer, expected }: ShapeFault): readonly PatchOperation[] | undefined {
  if (typeof found !== "string") return undefined;
  const value = [found.toLowerCase(), found.toUpperCase()].find((text) => expected.includes(`\`${text}\``));
  return value ? [{ op: "replace", path: pointer, value }] : undefined;
}

/** Checks of the shape phase. */
export const shapeChecks: readonly Check<Reading>[] = [
  shapeCheck({
    id: "member-missing",
    what: "`protocol`, `dns`, `dns.name`, `edge_ips.type` and the `ips` of static edge addresses are given.",
    why: "They have no default.",
    fix: "Add the member.",
    bad: { body: { ...direct, protocol: undefined } },
    good: { body: { ...direct, tls: undefined } },
  }),
  shapeCheck({
    id: "member-type",
    what: "Every member has its JSON type.",
    why: "A flag in quotes or a number as text means something else to every reader.",
    fix: "Write the value in the type that the message names.",
    bad: { body: { ...direct, ip_firewall: "true" } },
    good: { body: { ...direct, ip_firewall: true } },
  }),
  shapeCheck({
    id: "member-value",
    what: "Members with a fixed list of values have one of them, in that spelling.",
    why: "An unknown mode has no meaning.",
    fix: "Use one of the values that the message lists.",
    patch: loweredMend,
    bad: { body: { ...direct, tls: "Full" } },
    good: { body: { ...direct, tls: "full" } },
  }),
  shapeCheck({
    id: "list-length",
    what: `Static edge addresses are at least one; no list is longer than ${maxListLength}.`,
    why: "An application without an address cannot be reached, and an endless list cannot be checked.",
    fix: "Give at least one address, or shorten the list.",
    bad: { body: { ...staticEdge, edge_ips: { type: "static", ips: [] } } },
    good: { body: staticEdge },
  }),
  shapeCheck({
    id: "protocol-syntax",
    what: "`protocol` is `tcp/` or `udp/` with a port or a range, or one of `ssh`, `rdp` and `minecraft`.",
    why: "It says on which edge ports the application listens.",
    fix: "Write it like `tcp/22`, `udp/1000-2000` or `ssh`.",
    bad: { body: { ...direct, protocol: "tcp/0" } },
    good: { body: { ...direct, protocol: "ssh" } },
  }),
  shapeCheck({
    id: "hostname-syntax",
    what: "`dns.name` is a host name of at least two labels.",
    why: "A DNS record is made under it.",
    fix: "Write a host name like `ssh.example.com`, other scripts as punycode.",
    bad: { body: { ...direct, dns: { ...direct.dns, name: "ssh..example.com" } } },
    good: { body: { ...direct, dns: { ...direct.dns, name: "_ssh.example.com" } } },
  }),
  shapeCheck({
    id: "edge-ip-syntax",
    what: "Every entry of `edge_ips.ips` is an IPv4 or IPv6 address.",
    why: "The application is bound to these addresses.",
    fix: "Write the address in full, without a port, prefix length or zone id.",
    bad: { body: { ...staticEdge, edge_ips: { type: "static", ips: ["198.51.100.010"] } }, facts: world },
    good: { body: { ...staticEdge, edge_ips: { type: "static", ips: ["2001:db8:1::10"] } }, facts: world },
  }),
  shapeCheck({
    id: "origin-port-syntax",
    what: "`origin_port` beside `origin_direct` is a port or a range, though it has no effect there.",
    why: "It is stored and read back.",
    fix: "Give a port from 1 to 65535, or remove the member.",
    patch: ({ pointer }) => [{ op: "remove", path: pointer }],
    bad: { body: { ...virtual, origin_port: 70_000 } },
    good: { body: { ...byName, origin_port: "1000" } },
  }),
];
