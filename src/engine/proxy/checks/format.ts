/** 10400 and ignored members (`chosen`): the format of an application. `read/app.ts` finds the faults; each entry here selects its own. */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { PatchOperation } from "../../../core/json/patch.ts";
import { noteCodes } from "../../../errors.ts";
import type { AppReading, FormatCheck } from "../read/app.ts";
import { maxListLength } from "../read/decode.ts";
import { memberPath } from "../read/describe-input.ts";
import { type Check, check, type Written } from "./check.ts";
import { byName, direct, staticEdge, virtual, world } from "./samples.ts";

type FormatEntry = Omit<Written, "code" | "phase" | "facts"> & {
  readonly id: FormatCheck;
  readonly patch?: (fault: Diagnostic) => readonly PatchOperation[] | undefined;
};

function formatCheck(entry: FormatEntry): Check<AppReading> {
  return check<AppReading, Diagnostic>({
    code: 10400,
    phase: "format",
    find: ({ faults }) => {
      const own = faults.filter((fault) => fault.rule === entry.id);
      return own.length > 0 ? own : undefined;
    },
    message: ({ message }) => message,
    pointers: ({ pointer = "" }) => [pointer],
    ...entry,
  });
}

/** Checks of the format phase. */
export const formatChecks: readonly Check<AppReading>[] = [
  formatCheck({
    id: "member-missing",
    rule: "`protocol`, `dns`, `dns.name`, `edge_ips.type` and the `ips` of static edge addresses are set.",
    why: "They have no default.",
    fix: "Add the member.",
    bad: { body: { ...direct, protocol: undefined } },
    good: { body: { ...direct, tls: undefined } },
  }),
  formatCheck({
    id: "member-type",
    rule: "Every member has the right JSON type.",
    why: "Programs interpret a boolean or a number in quotes differently.",
    fix: "Use the type that the message names.",
    bad: { body: { ...direct, ip_firewall: "true" } },
    good: { body: { ...direct, ip_firewall: true } },
  }),
  formatCheck({
    id: "member-value",
    rule: "Members with a fixed list of values have one of them, in the same case.",
    why: "An unknown value has no meaning.",
    fix: "Use one of the values that the message lists.",
    patch: ({ fix }) => fix,
    bad: { body: { ...direct, tls: "Full" } },
    good: { body: { ...direct, tls: "full" } },
  }),
  formatCheck({
    id: "list-length",
    rule: `There is at least one static edge address; no array has more than ${maxListLength} entries.`,
    why: "An application without an address cannot be reached, and an unlimited array cannot be checked.",
    fix: "Add an address, or shorten the array.",
    bad: { body: { ...staticEdge, edge_ips: { type: "static", ips: [] } } },
    good: { body: staticEdge },
  }),
  formatCheck({
    id: "protocol-syntax",
    rule: "`protocol` is `tcp/` or `udp/` with a port or a range, or one of `ssh`, `rdp` and `minecraft`.",
    why: "It defines the edge ports on which the application listens.",
    fix: "Write it like `tcp/22`, `udp/1000-2000` or `ssh`.",
    bad: { body: { ...direct, protocol: "tcp/0" } },
    good: { body: { ...direct, protocol: "ssh" } },
  }),
  formatCheck({
    id: "hostname-syntax",
    rule: "`dns.name` is a host name of at least two labels.",
    why: "A DNS record with this name is created.",
    fix: "Write a host name like `ssh.example.com`, with other scripts in punycode.",
    bad: { body: { ...direct, dns: { ...direct.dns, name: "ssh..example.com" } } },
    good: { body: { ...direct, dns: { ...direct.dns, name: "_ssh.example.com" } } },
  }),
  formatCheck({
    id: "edge-ip-syntax",
    rule: "Every entry of `edge_ips.ips` is an IPv4 or IPv6 address.",
    why: "The application is bound to these addresses.",
    fix: "Write the address in full, without a port, prefix length or zone id.",
    bad: { body: { ...staticEdge, edge_ips: { type: "static", ips: ["198.51.100.010"] } }, facts: world },
    good: { body: { ...staticEdge, edge_ips: { type: "static", ips: ["2001:db8:1::10"] } }, facts: world },
  }),
  formatCheck({
    id: "origin-port-syntax",
    rule: "`origin_port` is a port or a range also with `origin_direct`, where it has no effect.",
    why: "It is stored and returned to clients.",
    fix: "Use a port from 1 to 65535, or remove the member.",
    bad: { body: { ...virtual, origin_port: 70_000 } },
    good: { body: { ...byName, origin_port: "1000" } },
  }),
  check<AppReading, string>({
    id: "member-without-effect",
    code: noteCodes.memberIgnored,
    level: "warning",
    phase: "format",
    rule: "`edge_ips` has only the members of its type: `connectivity` when dynamic, `ips` when static.",
    why: "The member of the other type is ignored.",
    fix: "Remove the member, or change `edge_ips.type` and `dns.type`.",
    find: ({ ignored }) => (ignored.length > 0 ? ignored : undefined),
    message: (at) => `The member ${memberPath(at)} is ignored.`,
    pointers: (at) => [at],
    bad: { body: { ...direct, edge_ips: { type: "dynamic", ips: ["198.51.100.10"] } } },
    good: { body: { ...direct, edge_ips: { type: "dynamic", connectivity: "ipv6" } } },
  }),
];
