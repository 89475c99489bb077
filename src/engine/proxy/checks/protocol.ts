/** 13002 (`spec`): is the protocol available to the zone? */

import type { PortRange } from "../grammar/port.ts";
import { printPorts } from "../grammar/port.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, type CheckText, check, missing, type Rule } from "./check.ts";
import { direct, world } from "./samples.ts";

interface Refused {
  readonly protocol: string;
  readonly ports: readonly PortRange[];
}

/** Most ranges that a message names. */
const maxListed = 8;

function listed(ports: readonly PortRange[]): string {
  const more = ports.length - maxListed;
  return ports.slice(0, maxListed).map(printPorts).join(", ") + (more > 0 ? ` and ${more} more ranges` : "");
}

function refused(protocol: string, ports: readonly PortRange[]): readonly Refused[] | undefined {
  return ports.length > 0 ? [{ protocol, ports }] : undefined;
}

type Entry = Omit<CheckText, "code" | "phase" | "bad"> & Pick<Rule<Candidate, Refused>, "find" | "message">;

function protocolCheck(entry: Entry & { readonly bad: CheckText["bad"] }): Check<Candidate> {
  return check<Candidate, Refused>({
    ...entry,
    code: 13002,
    phase: "protocol",
    pointers: () => ["/protocol"],
  });
}

/** Checks of the protocol phase. */
export const protocolChecks: readonly Check<Candidate>[] = [
  protocolCheck({
    id: "protocol-outside-plan",
    facts: ["protocols.allowed"],
    what: "All edge ports of the protocol are among those of the zone's plan.",
    why: "Plans differ in the protocols they offer.",
    fix: "Use a protocol and ports of the plan, or change the plan.",
    find: ({ app, protocol }, { allowed }) =>
      allowed ? refused(app.protocol, allowed.outside(protocol)) : missing("protocols.allowed"),
    message: ({ protocol, ports }) =>
      `The protocol \`${protocol}\` is not available for the zone: the edge ports ${listed(ports)} are not allowed.`,
    bad: { body: direct, facts: { ...world, protocols: { allowed: ["tcp/80", "udp/22"], reserved: [] } } },
    good: { body: direct, facts: { ...world, protocols: { allowed: ["ssh"], reserved: [] } } },
  }),
  protocolCheck({
    id: "protocol-reserved",
    facts: ["protocols.reserved"],
    what: "No edge port of the protocol is reserved.",
    why: "Some ports, UDP ones above all, are used by the service itself.",
    fix: "Use other edge ports.",
    find: ({ app, protocol }, { reserved }) =>
      reserved ? refused(app.protocol, reserved.inside(protocol)) : missing("protocols.reserved"),
    message: ({ protocol, ports }) =>
      `The protocol \`${protocol}\` is not available for the zone: the edge ports ${listed(ports)} are reserved.`,
    bad: {
      body: { ...direct, protocol: "udp/53", origin_direct: ["udp://192.0.2.1:53"] },
      facts: { ...world, protocols: { ...world.protocols, reserved: ["udp/53"] } },
    },
    good: {
      body: { ...direct, protocol: "tcp/53" },
      facts: { ...world, protocols: { ...world.protocols, reserved: ["udp/53"] } },
    },
  }),
];
